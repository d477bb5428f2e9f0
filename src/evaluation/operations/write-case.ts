import type { ConfigFiles } from '../../context/ports/config-files.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { addCase } from '../domain/add-case.ts'
import { caseFileName } from '../domain/case-text.ts'
import { readCases } from '../domain/read-cases.ts'
import { schemaLine } from '../domain/tests-schema.ts'
import { keepTestsSchema } from './keep-tests-schema.ts'
import type { TestsPlace } from './tests-here.ts'

export interface CaseToWrite {
  /** As returned by `caseText`. */
  readonly text: string
  readonly name: string
  /** Path below the tests folder, as the person named it; undefined for a separate file. */
  readonly file: string | undefined
  readonly isDry: boolean
  /** Adds no header to a new file, so that the inbox can undo exactly what it wrote. */
  readonly isBare?: boolean
}

export interface CaseWritten {
  /** Relative to the root. */
  readonly path: string
  readonly isNew: boolean
  /** The whole file. */
  readonly whole: string
  /** Line at which the case begins. */
  readonly line: number
}

const MOST_OF_A_NAME = 100

/** Adds a case to the named file, or creates a separate one; never replaces existing content. */
export async function writeCase(files: ConfigFiles, place: TestsPlace, wanted: CaseToWrite): Promise<CaseWritten> {
  refuseBroken(wanted.text)
  const written = await write(files, place, wanted)
  if (!wanted.isDry) await keepTestsSchema(files, place, { make: written.isNew })
  return written
}

async function write(
  files: ConfigFiles,
  { root, within }: TestsPlace,
  { text, name, file, isDry, isBare = false }: CaseToWrite,
): Promise<CaseWritten> {
  const headed = (path: string): string => `${isBare ? '' : schemaLine(path.slice(within.length + 1))}${text}`
  if (file !== undefined) {
    const path = `${within}/${fileNamed(file, within)}`
    return files.changeText(root, path, (now) => {
      const after = now === undefined ? headed(path) : addCase(now, text)
      const result = { path, isNew: now === undefined, whole: after, line: lineOfLast(after) }
      return { result, ...(!isDry && { write: after }) }
    })
  }
  for (let number = 1; number <= MOST_OF_A_NAME; number++) {
    const path = `${within}/${caseFileName(name)}${number === 1 ? '' : `-${number}`}.yaml`
    const isFree = await files.changeText(root, path, (now) => ({
      result: now === undefined,
      ...(now === undefined && !isDry && { write: headed(path) }),
    }))
    if (isFree) return { path, isNew: true, whole: headed(path), line: lineOfLast(headed(path)) }
  }
  throw new AppError('conflict', `Too many tests named ${caseFileName(name)}.`, {
    hint: `Choose another ${fieldNamed('name')}, or pass a ${fieldNamed('file')}.`,
  })
}

/** A recorded case must parse back unchanged, whatever it contains. */
function refuseBroken(text: string): void {
  const [broken] = readCases('recorded.yaml', text).broken
  if (broken === undefined) return
  throw new AppError('invalid_input', `Invalid test case: ${broken.fault.replace(/\.$/, '')}.`, {
    hint: 'Nothing was written.',
  })
}

function lineOfLast(text: string): number {
  const { cases, drafts, broken } = readCases('recorded.yaml', text)
  return Math.max(1, ...[...cases, ...drafts, ...broken].map(({ line }) => line))
}

/** `finance`, `finance.yaml` and `tests/finance.yaml` mean the same file. */
function fileNamed(given: string, within: string): string {
  const named = given.trim().replaceAll('\\', '/').replace(/^\.\//, '')
  const below = named.startsWith(`${within}/`) ? named.slice(within.length + 1) : named
  const path = /\.ya?ml$/i.test(below) ? below : `${below}.yaml`
  const parts = path.split('/')
  const isFit =
    parts.every((part) => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(part)) && !/\.[a-z0-9]+\.ya?ml$/i.test(path)
  if (isFit && parts[0]!.toLowerCase() !== 'outputs') return path
  throw new AppError('invalid_input', `"${visibleLine(given).slice(0, 100)}" is not a valid test file.`, {
    hint: `Use a file in ${within}/, e.g. finance.yaml (outputs/ is for results).`,
  })
}
