import { z } from 'zod'
import { isRecordFile } from '../../record/domain/record-path.ts'
import { ROLES } from './role.ts'

/** The version of these messages, sent with every one. */
export const WIRE = '1'
export const WIRE_HEADER = 'x-ken-record'

/** Limit of a push, which is held in memory; anything larger is not a record that people write. */
export const MOST_CHARACTERS = 64 * 1024 * 1024
export const LONGEST_TEXT = 4 * 1024 * 1024
/** Limit of an unpacked message: quotes and line ends take two characters in JSON. */
export const MOST_BYTES = 96 * 1024 * 1024

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const path = z.string().max(500).refine(isRecordFile, 'not a file of a record')
/** A name sent by a client; validated when used. */
const named = z.string().max(500)
const text = z.string().max(LONGEST_TEXT)
const place = z.number().int().min(0).max(LONGEST_TEXT)
const delta = z.object({ from: place, to: place, text })
const revision = hash.nullable()

export const pageAsk = z.strictObject({ since: hash.optional(), from: z.string().max(500).optional() })

export const standingAnswer = z.object({
  id: z.string(),
  name: z.string().max(200),
  role: z.enum(ROLES),
  person: z.string().regex(/^[0-9A-Za-z_-]{1,64}$/),
  revision,
})

export const newProject = z.strictObject({ name: z.string().min(1).max(200) })

export const manifestAnswer = z.object({
  revision,
  files: z.array(z.object({ path, sha256: hash.nullable() })).max(10_000),
  next: z.string().max(500).optional(),
})

export const linesAnswer = z.object({
  revision,
  lines: z.array(text).max(10_000),
  next: hash.optional(),
})

/** `have`: the hash of a text of the same file that the client could patch. */
export const textsAsk = z.strictObject({
  wanted: z.array(z.strictObject({ path: named, sha256: hash, have: hash.optional() })).max(1_000),
})

export const textsAnswer = z.object({
  texts: z.array(z.union([z.object({ path, text }), z.object({ path, have: hash, delta })])).max(1_000),
})

/** A deleted file has neither a text nor a delta. */
export const pushAsk = z.strictObject({
  id: hash,
  base: revision,
  files: z
    .array(z.strictObject({ path: named, before: hash.nullable(), text: text.optional(), delta: delta.optional() }))
    .max(200_000),
  lines: z.array(text).max(1_000_000),
})

/** `whole`: the base text of a delta is missing, so full texts are needed. */
export const pushAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('landed'), revision: hash }),
  z.object({
    status: z.literal('conflict'),
    revision,
    files: z.array(z.object({ path, sha256: hash.nullable() })),
  }),
  z.object({ status: z.literal('whole') }),
])

export const newsAnswer = z.object({ revision })
