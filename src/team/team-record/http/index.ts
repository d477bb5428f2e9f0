import { z } from 'zod'
import { AppError } from '../../../kernel/domain/errors.ts'
import { isUlid } from '../../../kernel/domain/project/config.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { applyDelta, deltaOf } from '../../../kernel/domain/text/text-delta.ts'
import {
  linesAnswer,
  manifestAnswer,
  newsAnswer,
  pushAnswer,
  standingAnswer,
  textsAnswer,
} from '../../domain/record-wire.ts'
import type { TeamCopy } from '../../ports/team-copy.ts'
import type { PageAsk, TeamPush, TeamRecord } from '../../ports/team-record.ts'
import type { TeamServer } from '../../ports/team-server.ts'
import { openExchange, type Exchange, type ExchangeOptions } from './exchange.ts'
import { openTeamMemory } from './team-memory.ts'

const NEWS_PATIENCE_MS = 35_000
const STANDING_PATIENCE_MS = 15_000

/** Client for the records of a `ken server`. */
export function openTeamServer(options: ExchangeOptions): TeamServer {
  const { url } = options
  const exchange = openExchange(options)
  return {
    url,
    async standing(project) {
      const path = pathOf(project)
      try {
        return await exchange({ method: 'GET', path, patience: STANDING_PATIENCE_MS }, standingAnswer)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return undefined
        throw error
      }
    },
    async create({ id, name }) {
      await exchange({ method: 'PUT', path: pathOf(id), body: { name } }, z.object({}))
    },
    memory: (project) => openTeamMemory(exchange, ulidOf(project)),
    record: (project, copy) => openRecord(exchange, pathOf(project), copy),
    async news(project, known, signal) {
      const path = `${pathOf(project)}/news${known === null ? '' : `?known=${known}`}`
      return (await exchange({ method: 'GET', path, patience: NEWS_PATIENCE_MS, tries: 1, signal }, newsAnswer))
        .revision
    },
  }
}

function openRecord(exchange: Exchange, path: string, copy: Pick<TeamCopy, 'texts'>): TeamRecord {
  const push = (body: object) => exchange({ method: 'POST', path: `${path}/push`, body }, pushAnswer)
  return {
    manifest: (ask) => exchange({ method: 'GET', path: `${path}/manifest${query(ask)}` }, manifestAnswer),
    lines: (ask) => exchange({ method: 'GET', path: `${path}/lines${query(ask)}` }, linesAnswer),
    async texts(wanted) {
      const known = await copy.texts([...wanted.keys()])
      const asked = [...wanted].map(([file, hash]) => {
        const have = known.get(file)
        return { path: file, sha256: hash, ...(have !== undefined && { have: sha256(have) }) }
      })
      const message = { method: 'POST', path: `${path}/texts`, body: { wanted: asked } } as const
      const { texts } = await exchange(message, textsAnswer)
      const found = new Map<string, string>()
      for (const one of texts) {
        const text = 'text' in one ? one.text : applyDelta(known.get(one.path) ?? '', one.delta)
        if (text !== undefined && wanted.get(one.path) === sha256(text)) found.set(one.path, text)
      }
      return found
    },
    async push(whole) {
      const answer = await push(await withDeltas(whole, copy))
      if (answer.status !== 'whole') return answer
      const again = await push(whole)
      if (again.status !== 'whole') return again
      throw new AppError('unavailable', 'The server asked for full texts but rejected them.')
    },
  }
}

/** Sends only the changed range of a text that the server has in an earlier version. */
async function withDeltas({ files, ...push }: TeamPush, copy: Pick<TeamCopy, 'texts'>): Promise<object> {
  const changed = files.filter(({ before, text }) => before !== null && text !== undefined).map(({ path }) => path)
  const known = changed.length === 0 ? new Map<string, string>() : await copy.texts(changed)
  return {
    ...push,
    files: files.map(({ path, before, text }) => {
      const old = known.get(path)
      const delta = old === undefined || text === undefined || sha256(old) !== before ? undefined : deltaOf(old, text)
      return { path, before, ...(delta === undefined ? { text } : { delta }) }
    }),
  }
}

const query = ({ since, from }: PageAsk): string => {
  const asked = new URLSearchParams({ ...(since !== undefined && { since }), ...(from !== undefined && { from }) })
  return asked.size === 0 ? '' : `?${asked.toString()}`
}

const pathOf = (project: string): string => `/v1/team/records/${ulidOf(project)}`

function ulidOf(project: string): string {
  if (!isUlid(project)) throw new AppError('invalid_input', 'A project id must be a ULID.')
  return project
}
