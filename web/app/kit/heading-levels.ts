import type { TextBlock } from '../../../src/analyst/domain/story/story-blocks.ts'

/**
 * Level of each heading below a page heading, without gaps: whatever level a text starts with and however it jumps,
 * heading navigation has no missing level.
 */
export function headingLevels(blocks: readonly TextBlock[], first: number): ReadonlyMap<TextBlock, number> {
  const levels = new Map<TextBlock, number>()
  const above: number[] = []
  const visit = (all: readonly TextBlock[]): void => {
    for (const block of all) {
      if (block.kind === 'quote') visit(block.blocks)
      if (block.kind === 'list') block.items.forEach(visit)
      if (block.kind !== 'heading') continue
      while (above.length > 0 && above.at(-1)! >= block.level) above.pop()
      levels.set(block, Math.min(6, first + above.length))
      above.push(block.level)
    }
  }
  visit(blocks)
  return levels
}
