import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { foldLetters } from '../../kernel/domain/text/fold.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import type { RunSummary } from '../domain/summary.ts'
import { CASE_KINDS } from '../domain/test-case.ts'
import type { FoundCase, BrokenCase } from '../domain/test-run.ts'

export interface Choice {
  /** Words of a name or a file; matching any one is enough. A full id selects only that case. */
  readonly select: readonly string[]
  readonly tag: readonly string[]
  readonly kind: readonly (typeof CASE_KINDS)[number][]
}

/** Throws `not_found` with the available cases if nothing is left. */
export function chooseCases(cases: readonly FoundCase[], { select, tag, kind }: Choice): readonly FoundCase[] {
  const ids = new Set(cases.map(({ id }) => id))
  const isWhole = (words: string): boolean => ids.has(words)
  const chosen = cases.filter(
    (one) =>
      (select.length === 0 || select.some((words) => (isWhole(words) ? words === one.id : isNamed(one, words)))) &&
      (tag.length === 0 || tag.some((name) => one.test.tags.some((own) => folded(own) === folded(name)))) &&
      (kind.length === 0 || kind.includes(one.test.kind)),
  )
  if (chosen.length > 0 || cases.length === 0) return chosen
  const tags = [...new Set(cases.flatMap(({ test }) => test.tags))].sort()
  throw new AppError('not_found', `None of the ${cases.length} cases matches.`, {
    hint: `${operationNamed('test_cases')} lists them${tags.length === 0 ? '' : `; tags: ${tags.slice(0, 20).join(', ')}`}.`,
  })
}

function isNamed({ id, file, test }: FoundCase, words: string): boolean {
  const wanted = folded(words.trim()).replace(/^\.?\/?(?:\.ken\/)?tests\//, '')
  return folded(id).includes(wanted) || folded(test.name).includes(wanted) || folded(file) === wanted
}

/** Cases that did not pass in a run, or were invalid then. */
export function failedIn(cases: readonly FoundCase[], { run, cases: made }: RunSummary): readonly FoundCase[] {
  const failed = new Set(made.filter(({ verdict }) => verdict !== 'passed').map((one) => one.case))
  const isTorn = ({ file, test: { name } }: FoundCase): boolean =>
    run.broken.some((one) => one.file === file && (one.name === name || one.name === file))
  return cases.filter((one) => failed.has(one.id) || isTorn(one))
}

const folded = (text: string): string => foldLetters(text).toLowerCase()

const names = z.array(z.string().min(1).max(300)).max(1000).default([])

export const choiceFields = {
  select: names.describe('Only cases with these words in their name, file or id.'),
  tag: names.describe('Only cases with one of these tags.'),
  kind: z.array(z.enum(CASE_KINDS)).max(CASE_KINDS.length).default([]).describe('Only cases of these kinds.'),
}

export const brokenFields = z.array(
  z.object({ file: z.string(), line: z.number(), name: z.string(), fault: z.string() }),
)

export const brokenLines = (broken: readonly BrokenCase[], view: View): readonly string[] =>
  broken.map(({ file, line, name, fault }) =>
    view.mark('bad', `  broken: ${file}:${line}${name === file ? '' : ` "${name}"`}: ${fault}`),
  )
