import { useMemo, type ReactNode } from 'react'
import {
  figureSign,
  plainInline,
  type Figure,
  type LaidBlock,
  type TextBlock,
} from '../../../../src/analyst/domain/story/story-blocks.ts'
import { ChartView } from '../../kit/data/chart-view.tsx'
import { headingLevels } from '../../kit/heading-levels.ts'
import { Blocks } from '../../kit/reading.tsx'
import { StoryTable } from './story-table.tsx'
import reading from '../../kit/reading.module.css'
import css from './story.module.css'

interface StoryBodyProps {
  readonly blocks: readonly LaidBlock[]
  /** Title shown above the body; a first heading with the same text is left out. */
  readonly title: string
  readonly onFigure?: (place: string) => void
}

/** Text, charts, tables and grids of a story, in the order they were written. */
export function StoryBody({ blocks: all, title, onFigure }: StoryBodyProps) {
  const blocks = useMemo(() => withoutTitle(all, title), [all, title])
  const levels = useMemo(() => headingLevels(textsOf(blocks), 3), [blocks])
  const figure = (one: Figure, shown: ReactNode): ReactNode => {
    const sign = figureSign(one)
    const { place } = one
    return (
      <>
        {onFigure === undefined || place === '' ? (
          <span className={css.figure}>{shown}</span>
        ) : (
          <button type="button" className={css.figure} title={titleOf(one)} onClick={() => onFigure(place)}>
            {shown}
          </button>
        )}
        {sign !== '' && <span className={css.doubt}>{sign}</span>}
        {one.was !== undefined && <span className={css.moved}> was {one.was}</span>}
      </>
    )
  }
  return <Laid blocks={blocks} levels={levels} inline={{ figure }} />
}

const titleOf = ({ place, state, note }: Figure): string =>
  `Shows ${place}${state === undefined && note !== undefined ? ` (${note})` : ''}`

type Rest = Pick<Parameters<typeof Blocks>[0], 'levels' | 'inline'>

const Laid = ({ blocks, ...rest }: Rest & { readonly blocks: readonly LaidBlock[] }) =>
  runsOf(blocks).map((run, at) =>
    'texts' in run ? (
      <div key={at} className={reading.reading}>
        <Blocks blocks={run.texts} {...rest} />
      </div>
    ) : (
      <Part key={at} block={run.block} {...rest} />
    ),
  )

type DrawnBlock = Exclude<LaidBlock, TextBlock>

function Part({ block, ...rest }: Rest & { readonly block: DrawnBlock }) {
  switch (block.kind) {
    case 'chart':
      return (
        <div className={css.part}>
          <ChartView chart={block.chart} data={block.data} />
          {block.moved?.map(({ place, was }) => (
            <p key={place} className={css.note}>
              {block.moved!.length > 1 && `${place.slice(place.indexOf('.') + 1)} `}
              <span className={css.moved}>was {was} before the last refresh</span>
            </p>
          ))}
        </div>
      )
    case 'table':
      return <StoryTable table={block} />
    case 'problem':
      return <p className={css.problem}>{sentence(block.text)}</p>
    case 'grid':
      return (
        <div className={css.grid} data-columns={block.columns}>
          {block.cells.map((cell, at) => (
            <div key={at} className={css.cell}>
              <Laid blocks={cell} {...rest} />
            </div>
          ))}
        </div>
      )
  }
}

const sentence = (line: string): string =>
  `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? '' : '.'}`

type Run = { readonly texts: readonly TextBlock[] } | { readonly block: DrawnBlock }

/** Groups consecutive texts, which share one column. */
function runsOf(blocks: readonly LaidBlock[]): readonly Run[] {
  const runs: ({ texts: TextBlock[] } | { block: DrawnBlock })[] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (isDrawn(block)) runs.push({ block })
    else if (last !== undefined && 'texts' in last) last.texts.push(block)
    else runs.push({ texts: [block] })
  }
  return runs
}

const isDrawn = (block: LaidBlock): block is DrawnBlock =>
  block.kind === 'chart' || block.kind === 'table' || block.kind === 'problem' || block.kind === 'grid'

const textsOf = (blocks: readonly LaidBlock[]): TextBlock[] =>
  blocks.flatMap((block) =>
    block.kind === 'grid' ? block.cells.flatMap((cell) => textsOf(cell)) : isDrawn(block) ? [] : [block],
  )

function withoutTitle(blocks: readonly LaidBlock[], title: string): readonly LaidBlock[] {
  const [first, ...rest] = blocks
  return first?.kind === 'heading' && first.level === 1 && plainInline(first.inside).trim() === title.trim()
    ? rest
    : blocks
}
