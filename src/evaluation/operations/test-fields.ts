import { z } from 'zod'
import type { View } from '../../kernel/domain/view/view.ts'
import { CASE_KINDS } from '../domain/test-case.ts'
import type { BrokenCase } from '../domain/test-run.ts'

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
