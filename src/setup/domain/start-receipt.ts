import { z } from 'zod'
import { SCOPES } from './client.ts'
import { CLIENT_NAMES } from './clients.ts'

/** One step of the set-up of a folder, planned or done. */
export const startStep = z.object({
  id: z.string().describe('Its name in `only`.'),
  what: z.string(),
  detail: z.string(),
  files: z.array(z.string()).describe('Files it writes, or wrote, outside of the Ken home.'),
  diffs: z
    .array(z.object({ path: z.string(), diff: z.string() }))
    .optional()
    .describe('Only in a plan: the change of each file. Compiled files are not known before.'),
  choice: z
    .enum(['always', 'own', 'with_sources'])
    .describe('own: can be left out; always: cannot; with_sources: done if any source is.'),
  problem: z.string().optional().describe('Why it failed, or is not possible.'),
  kept: z.array(z.string()).optional().describe('What is not changed, and why.'),
})

export type StartStep = z.output<typeof startStep>

/** A copy of a client file as it was, below Ken's home. */
const fileCopy = z.object({ path: z.string(), backup: z.string() })

export type FileCopy = z.output<typeof fileCopy>

/** What one set-up did: all that its undo needs. */
export const startReceipt = z.object({
  root: z.string(),
  project: z.string(),
  steps: z.array(startStep),
  next: z.array(z.string()),
  /** Journal events of the record after the set-up: more of them are later work. */
  events: z.number().int(),
  agents: z.array(z.object({ client: z.enum(CLIENT_NAMES), scope: z.enum(SCOPES) })),
  hasInstructions: z.boolean(),
  /** Paths in the session archive. */
  sessions: z.array(z.string()),
  /** A context project: SHA-256 of each file that Ken did not compile, by path. */
  context: z.object({ root: z.string(), files: z.record(z.string(), z.string()) }).optional(),
  /** Sources added to a context project that was there before: their keys, and the SHA-256 of ken.yaml afterwards. */
  added: z.object({ root: z.string(), keys: z.array(z.string()), config: z.string() }).optional(),
  backups: z.array(fileCopy),
  /** Lists in Ken's home that did not exist before. */
  lists: z.array(z.string()),
})

export type StartReceipt = z.output<typeof startReceipt>
