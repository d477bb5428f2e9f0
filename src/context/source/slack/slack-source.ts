import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/domain/errors.ts'
import { isTaken } from '../../domain/context-project/name-glob.ts'
import { safeSegment } from '../../domain/context-project/safe-segment.ts'
import {
  readSlackChannels,
  readSlackDay,
  readSlackUsers,
  slackPages,
  type SlackChannel,
  type SlackMessage,
  type SlackPage,
  type SlackPageRules,
} from '../../domain/sources/slack-export.ts'
import type { Source, SourceItem } from '../../ports/source.ts'
import { openExportFiles, type ExportFiles } from '../export-files.ts'

export interface SlackParts {
  readonly path: string
  readonly target: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly private: 'none' | 'channels' | 'all'
  readonly since?: string | undefined
  readonly bots: boolean
  readonly reactions: boolean
}

interface Workspace {
  readonly files: ExportFiles
  /** Folder of channels.json, often a subfolder in a zip. */
  readonly base: string
  readonly channels: readonly SlackChannel[]
  readonly rules: SlackPageRules
  /** Day files by channel folder. */
  readonly days: ReadonlyMap<string, readonly string[]>
}

const LISTS = { none: ['channels'], channels: ['channels', 'groups'], all: ['channels', 'groups', 'mpims', 'dms'] }
// A channel is read again for its pages; concurrent fetches mostly need the same few.
const KEPT_CHANNELS = 4

/** Channels of a Slack export, one page per month. Texts are not kept: an export can be larger than memory. */
export function openSlackSource(parts: SlackParts): Source {
  let workspace: Workspace | undefined
  const places = new Map<string, { readonly channel: SlackChannel; readonly page: string }>()
  const kept = new Map<string, Promise<readonly SlackPage[]>>()
  const pagesOf = (channel: SlackChannel): Promise<readonly SlackPage[]> => {
    const known = kept.get(channel.id)
    if (known !== undefined) return known
    if (kept.size >= KEPT_CHANNELS) kept.delete(kept.keys().next().value!)
    const reading = readChannel(workspace!, channel, parts).then(({ pages }) => pages)
    kept.set(channel.id, reading)
    return reading
  }
  return {
    async list() {
      workspace = await openWorkspace(parts)
      const items: SourceItem[] = []
      const skipped: { title: string; reason: string }[] = []
      for (const channel of workspace.channels) {
        const { pages, unread } = await readChannel(workspace, channel, parts)
        skipped.push(...unread.map((title) => ({ title, reason: 'it is no list of messages' })))
        for (const page of pages) {
          const id = `${channel.id}/${page.name}`
          places.set(id, { channel, page: page.name })
          items.push({
            id,
            title: `${channel.name} ${page.name}`,
            path: `${parts.target}/${safeSegment(channel.name)}/${page.name}.md`,
            fingerprint: createHash('sha256').update(page.text).digest('hex').slice(0, 16),
            maxAgeDays: undefined,
          })
        }
      }
      return { items, skipped }
    },
    async fetch(item) {
      const place = places.get(item.id)
      const page = place && (await pagesOf(place.channel)).find(({ name }) => name === place.page)
      if (page === undefined) throw new AppError('not_found', `the export has no ${item.title}`)
      return { documents: [{ name: '', text: page.text, framed: true }], table: undefined }
    },
    close: async () => workspace?.files.close(),
  }
}

async function openWorkspace(parts: SlackParts): Promise<Workspace> {
  const files = await openExportFiles(parts.path, /\.json$/)
  try {
    const lists = files.paths.filter((path) => /(?:^|\/)channels\.json$/.test(path))
    const list = lists.toSorted((a, b) => a.split('/').length - b.split('/').length)[0]
    if (list === undefined)
      throw new AppError('unavailable', `${parts.path} is not a Slack export: it has no channels.json.`, {
        hint: 'Use the Slack export’s zip file, or its unpacked folder.',
      })
    const base = list.slice(0, -'channels.json'.length)
    const users = readSlackUsers(
      (await jsonIn(files, `${base}users.json`)) ?? (await jsonIn(files, `${base}org_users.json`)),
    )
    const all: SlackChannel[] = []
    for (const name of LISTS[parts.private]) {
      const found = readSlackChannels(await jsonIn(files, `${base}${name}.json`), users)
      if (found === undefined && name === 'channels')
        throw new AppError('damaged', `channels.json in ${parts.path} cannot be read.`, { hint: 'Export it again.' })
      all.push(...(found ?? []))
    }
    const days = Map.groupBy(
      files.paths.filter((path) => DAY.test(path)),
      (path) => path.slice(0, path.lastIndexOf('/')),
    )
    // A channel listed twice would count as two.
    const channels = [...new Map(all.map((one) => [one.id, one])).values()].filter((one) => isTaken(one.name, parts))
    const names = new Map(all.map(({ id, name }) => [id, name]))
    return { files, base, channels, days, rules: { users, channels: names, ...parts } }
  } catch (error) {
    await files.close()
    throw error
  }
}

const DAY = /\/\d{4}-\d{2}-\d{2}\.json$/

async function readChannel(
  { files, base, days, rules }: Workspace,
  channel: SlackChannel,
  { since = '' }: SlackParts,
): Promise<{ readonly pages: readonly SlackPage[]; readonly unread: readonly string[] }> {
  const said: SlackMessage[] = []
  const unread: string[] = []
  for (const path of days.get(`${base}${channel.folder}`) ?? []) {
    if (path.slice(-15, -5) < since) continue
    const day = readSlackDay(await jsonIn(files, path))
    if (day === undefined) unread.push(path)
    for (const message of day ?? []) said.push(message)
  }
  return { pages: slackPages(channel, said, rules), unread }
}

async function jsonIn(files: ExportFiles, path: string): Promise<unknown> {
  const bytes = await files.read(path)
  try {
    return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
