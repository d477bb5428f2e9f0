import { languageOfFile } from '../retrieval/domain/chunking/code-files.ts'
import type { Changed } from './domain/guard/added-lines.ts'
import { isConfig } from './domain/guard/config-names.ts'
import { fileKind } from './domain/guard/file-kind.ts'
import { packagesIn } from './domain/guard/manifest-packages.ts'
import type { LocalRecordNeeds, RecordNeeds } from './ports/record-needs.ts'
import type { ChangedFile, Repository } from './ports/repository.ts'

// Limited because each file costs a git call or a parse; beyond this many, files are checked by their lines only.
const MOST_MANIFESTS = 200
const MOST_PARSED = 400
// A cheap test; only a file with such a line is worth parsing.
export const MAY_IMPORT = /\b(?:import|require|from|use|using|include|load|source)\b|^\s*["'(]|^\s*[\w.]+ ["']/

type ReadNeeds = Pick<RecordNeeds, 'repository'> & Partial<Pick<LocalRecordNeeds, 'codeParser'>>

/**
 * The changed files with the packages of manifests and the imports of code, from their full texts. Code is parsed only
 * if an added line names something, by `isNamed`.
 */
export async function readChanges(
  ctx: ReadNeeds,
  files: readonly ChangedFile[],
  { base, isNamed }: { base: string | undefined; isNamed: (line: string) => boolean },
): Promise<Changed[]> {
  const repository = files.length === 0 ? undefined : await ctx.repository()
  if (repository === undefined) return [...files]
  let [manifests, parsed] = [0, 0]
  const read: Changed[] = []
  for (const file of files) {
    const kind = fileKind(file.path)
    if (kind === 'manifest' && manifests++ < MOST_MANIFESTS) read.push(await withPackages(repository, file, base))
    else if (kind === 'code' && isWorthParsing(file, isNamed) && parsed++ < MOST_PARSED)
      read.push(await withImports(ctx, repository, file))
    else read.push(file)
  }
  return read
}

async function withPackages(repository: Repository, file: ChangedFile, base: string | undefined): Promise<Changed> {
  const [before, after] = await Promise.all([
    file.status === 'added' ? undefined : repository.text(file.previousPath ?? file.path, { base }),
    file.status === 'deleted' ? undefined : repository.text(file.path, 'now'),
  ])
  // If one side exists but cannot be read, everything on the other would look new.
  if (after === undefined && file.status !== 'deleted') return file
  if (before === undefined && file.status !== 'added') return file
  return {
    ...file,
    packages: {
      before: before === undefined ? [] : packagesIn(file.previousPath ?? file.path, before),
      after: after === undefined ? [] : packagesIn(file.path, after),
    },
  }
}

const isWorthParsing = ({ path, added }: ChangedFile, isNamed: (line: string) => boolean): boolean =>
  languageOfFile(path) !== undefined &&
  !isConfig(path) &&
  added.some(({ text }) => MAY_IMPORT.test(text) && isNamed(text))

/** Adds the imports of a file; without a grammar for it, the file is read line by line. */
async function withImports(ctx: ReadNeeds, repository: Repository, file: ChangedFile): Promise<Changed> {
  const text = await repository.text(file.path, 'now')
  if (text === undefined) return file
  const parser = await ctx.codeParser?.()
  const outline = await parser?.parse(text, languageOfFile(file.path)!)
  return outline === undefined ? file : { ...file, imports: outline.imports }
}
