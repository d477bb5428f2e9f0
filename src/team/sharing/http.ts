import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'
import { AppError, ERROR_TABLE, type ErrorCode } from '../../kernel/domain/errors.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'
import type { SharingServer } from '../ports/sharing.ts'

export interface SharingServerOptions {
  /** An origin, as `serverOrigin` returns it. */
  readonly server: string
  readonly project: string
  /** A bearer token that is valid for the next minute. */
  readonly token: () => Promise<string>
}

const PATIENCE_MS = 60_000
/** An answer is a page of names at most. */
const LONGEST_ANSWER = 4 * 1024 * 1024
const PAGE = 2_000

/**
 * Client for the routes in `surfaces/http/team/memory-routes.ts`. Redirects are not followed, because the token is
 * meant for this server.
 */
export function openSharingServer({ server, project, token }: SharingServerOptions): SharingServer {
  const ask = async <T>(action: string, body: Record<string, unknown>, answer: z.ZodType<T>): Promise<T> => {
    const bytes = await promisify(gzip)(JSON.stringify({ project, ...body }))
    const headers = {
      authorization: `Bearer ${await token()}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    }
    const response = await fetch(`${server}/memory/${action}`, {
      method: 'POST',
      headers,
      body: bytes,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      throw unreachable(server, networkCause(error))
    })
    const text = await boundedText(response)
    if (!response.ok) throw refusal(response.status, text)
    const read = answer.safeParse(jsonIn(text))
    if (!read.success) throw unreachable(server, 'it answered something else than a team server does')
    return read.data
  }
  return {
    open: (workspace) => ask('open', workspace, shareFields),
    async held(share) {
      const held = new Map<string, string>()
      for (let after = ''; ;) {
        const { texts } = await ask('held', { share, after, limit: PAGE }, heldFields)
        for (const { name, hash } of texts) held.set(name, hash)
        if (texts.length < PAGE) return held
        after = texts.at(-1)!.name
      }
    },
    async send(share, texts) {
      await ask('send', { share, texts }, z.object({}))
    },
    async remove(share, names) {
      await ask('remove', { share, names }, z.object({}))
    },
    async finish(share) {
      await ask('finish', { share }, z.object({}))
    },
    withdraw: (share) => ask('withdraw', { share }, withdrawnFields),
    list: async () => (await ask('list', {}, z.object({ shares: z.array(listedFields) }))).shares,
  }
}

const count = z.number().int().min(0)
const shareFields = z.object({
  id: z.string(),
  person: z.string(),
  author: z.string(),
  workspace: z.string(),
  name: z.string(),
  openedAt: z.string(),
  uploadedAt: z
    .string()
    .nullish()
    .transform((at) => at ?? undefined),
  documents: count,
  bytes: count,
})
const listedFields = shareFields.extend({ own: z.boolean() })
const heldFields = z.object({ texts: z.array(z.object({ name: z.string(), hash: z.string() })) })
const withdrawnFields = z.object({ documents: count, chunks: count, postings: count, vectors: count, texts: count })
const refusalFields = z.object({
  error: z.object({ code: z.string(), message: z.string().max(1_000), hint: z.string().max(1_000).optional() }),
})

async function boundedText(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > LONGEST_ANSWER) throw new AppError('unavailable', 'The server’s answer is too large.')
  }
  return text
}

function refusal(status: number, text: string): AppError {
  const read = refusalFields.safeParse(jsonIn(text))
  if (!read.success) return new AppError('unavailable', `The server answered with status ${status}.`)
  const { code, message, hint } = read.data.error
  const known = Object.hasOwn(ERROR_TABLE, code) ? (code as ErrorCode) : 'unavailable'
  return new AppError(known, `The server says: ${message}`, hint === undefined ? {} : { hint })
}

const unreachable = (server: string, why: string): AppError =>
  new AppError('unavailable', `${server} cannot be reached: ${why}.`, {
    hint: 'Nothing is lost: run the same command to resume.',
  })

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
