import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import type { Given } from '../../operations/context.ts'
import type { ContextProject } from '../ports/context-project.ts'

const PATTERN = '{RULES.md,{databases,queries,docs,semantics,repos}/**/*.{md,sql,yaml,yml,txt}}'

/** Makes the compiled tree searchable by the memory; returns the collection's name if it is new. */
export function indexContext(ctx: Given<'memory'>, project: ContextProject): string | undefined {
  const { collections } = ctx.collections.list()
  if (collections.some((collection) => collection.path === project.root)) return undefined
  const plain =
    project.config.name
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replaceAll(/^[^\p{L}\p{N}]+/gu, '')
      .slice(0, 40) || 'context'
  for (const name of [plain, `${plain}-${sha256(project.root).slice(0, 8)}`]) {
    try {
      return ctx.collections.add(
        { name, path: project.root, pattern: PATTERN, origin: 'context', workspace: project.root },
        ctx.cwd,
      ).name
    } catch (error) {
      // The name is taken by another folder, or by Ken itself.
      if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'invalid_input')) throw error
    }
  }
  return undefined
}
