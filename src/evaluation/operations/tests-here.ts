import { contextHere } from '../../analyst/operations/project-key.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Context, Given } from '../../operations/context.ts'
import { distinct, LARGEST_FILE, readCases, type ReadCases } from '../domain/read-cases.ts'

/** Location of the tests. */
export interface TestsPlace {
  /** Folder that the tests belong to. */
  readonly root: string
  /** Tests folder below the root: `tests` in a context project, otherwise `.ken/tests` in a repository. */
  readonly within: string
}

/** Throws `not_found` if there is no project or repository for the tests. */
export async function testsPlace(ctx: Given<'context' | 'record'>): Promise<TestsPlace> {
  const project = await contextHere(ctx)
  if (project !== undefined) return { root: project.root, within: 'tests' }
  const found = await ctx.projects.find({ directory: ctx.cwd })
  const root = (await ctx.repository())?.root ?? (await ctx.projects.claim(ctx.cwd))?.repository
  if (found !== undefined && root !== undefined) return { root, within: '.ken/tests' }
  throw new AppError('not_found', 'No project with tests found here.', {
    hint: 'Run `ken init` in a repository, or `ken init --context` for a context project.',
  })
}

// More files than any suite needs; an untrusted folder must not take unlimited time or memory.
const MOST_FILES = 2_000
const MOST_CASES = 20_000

/**
 * All cases below the tests folder. A file that is too large or has an odd name is reported as broken; links are
 * skipped.
 */
export async function casesIn(ctx: Pick<Context, 'files'>, place: TestsPlace): Promise<ReadCases> {
  const folder = await realFolder(ctx, place)
  if (folder === undefined) return { cases: [], broken: [], drafts: [] }
  const names = (await ctx.files.list(folder)) ?? []
  const files = names.filter((name) => /\.ya?ml$/i.test(name) && !/^outputs\//i.test(name))
  const read: ReadCases[] = []
  let count = 0
  for (const file of files) {
    if (read.length >= MOST_FILES || count >= MOST_CASES) {
      read.push(
        brokenFile(visibleLine(file), `this file and ${files.length - read.length - 1} more are beyond what is read`),
      )
      break
    }
    const one = await readFile(ctx, folder, file)
    count += one.cases.length + one.broken.length + one.drafts.length
    read.push(one)
  }
  return distinct({
    cases: read.flatMap(({ cases }) => cases),
    broken: read.flatMap(({ broken }) => broken),
    drafts: read.flatMap(({ drafts }) => drafts),
  })
}

const brokenFile = (file: string, fault: string): ReadCases => ({
  cases: [],
  broken: [{ file, line: 1, name: file, fault }],
  drafts: [],
})

/** Resolves the folder, because a clone may have made it a link to elsewhere. */
async function realFolder({ files }: Pick<Context, 'files'>, place: TestsPlace): Promise<string | undefined> {
  const [root, folder] = await Promise.all([files.folder(place.root), files.folder(`${place.root}/${place.within}`)])
  if (folder === undefined || root === undefined) return undefined
  if (folder.replaceAll('\\', '/') === `${root.replaceAll('\\', '/')}/${place.within}`) return folder
  throw new AppError('forbidden', `${place.within} is a symbolic link.`, {
    hint: 'Put the tests in a folder of the project.',
  })
}

async function readFile({ files }: Pick<Context, 'files'>, folder: string, file: string): Promise<ReadCases> {
  // The name appears in lists, logs and reports, where a line end would start a new line.
  if (visibleLine(file) !== file)
    return brokenFile(visibleLine(file), 'its name holds a line end or a character that nobody sees')
  try {
    const bytes = await files.bytes(`${folder}/${file}`, LARGEST_FILE)
    return readCases(file, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (thrown) {
    return brokenFile(file, thrown instanceof TypeError ? 'it is no UTF-8 text' : toAppError(thrown).message)
  }
}
