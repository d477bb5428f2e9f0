import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { Hono } from 'hono'
import { ERROR_TABLE } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import type { ExportedFile } from '../../../team/ports/data-export.ts'
import { readPageForm } from '../page-form.ts'
import { plainPage, saying, sendTo } from '../plain-page.ts'
import { tarOf } from '../tar.ts'
import { auditAction } from './audit-attempt.ts'
import type { SignInOptions } from './sign-in-options.ts'

const OWN_DATA = '/account/data'

export interface OwnDataOptions extends Pick<SignInOptions, 'publicUrl' | 'callerOf' | 'sourceOf' | 'told' | 'trace'> {
  /** All data kept about a person. */
  filesOf(person: string): AsyncIterable<ExportedFile>
  now(): Date
  /** Milliseconds without reads after which a download ends, so that it does not block others. */
  readonly patience?: number
}

/** Concurrent exports per replica; each holds a few megabytes. */
const MOST_AT_ONCE = 4
// A slow connection buffers some megabytes at a time, and requests more only when they are sent.
const PATIENCE_MS = 5 * 60_000

/** Exports all data that the server keeps about the signed-in person, as a streamed archive. */
export function buildOwnDataApp(options: OwnDataOptions): Hono {
  const underWay = new Set<string>()
  const app = new Hono()
  app.post(OWN_DATA, async (c) => {
    const request = c.req.raw
    try {
      await readPageForm(request, options)
      const caller = await options.callerOf(request)
      if (caller === undefined) return sendTo('/account')
      const { person, session: held } = caller
      if (underWay.has(person) || underWay.size >= MOST_AT_ONCE) return busy()
      underWay.add(person)
      await auditAction(options, request, { operation: 'export_person', who: { person }, held, subject: person })
      const archive = Readable.from(tarOf(options.filesOf(person), { modified: options.now() }))
      const packed = createGzip()
      // A disconnect or a failure ends both streams.
      archive.on('error', (error) => packed.destroy(error))
      packed.on('close', () => {
        archive.destroy()
        underWay.delete(person)
      })
      packed.on('error', (error) => options.trace?.(error))
      return new Response(whileRead(archive.pipe(packed), options.patience ?? PATIENCE_MS), { headers: HEADERS })
    } catch (thrown) {
      options.trace?.(thrown)
      const error = toAppError(thrown)
      return plainPage({
        status: ERROR_TABLE[error.code].http,
        title: 'Download failed',
        body: saying(error.line),
      })
    }
  })
  return app
}

/** The same bytes, until no more are requested for `patience` milliseconds. */
function whileRead(source: Readable, patience: number): ReadableStream<Uint8Array> {
  const reader = (Readable.toWeb(source) as ReadableStream<Uint8Array>).getReader()
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer)
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        timer = setTimeout(() => source.destroy(), patience).unref()
      },
      async cancel(reason) {
        clearTimeout(timer)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const HEADERS = {
  'content-type': 'application/gzip',
  'content-disposition': 'attachment; filename="ken-my-data.tar.gz"',
  'cache-control': 'no-store',
}

const busy = (): Response =>
  plainPage({
    status: 429,
    title: 'Another download is running',
    body: saying('Your data, or that of several others, is being exported. Try again in a minute.'),
  })
