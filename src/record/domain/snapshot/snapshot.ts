import { codePoints } from '../../../kernel/domain/text.ts'
import { type Texts, orderedFiles } from './delta.ts'

const SNAPSHOT_SCHEMA = 1
const CHARACTERS_PER_TOKEN = 4

/** The whole record at one moment. Keys are in the order of the file format. */
export interface Snapshot {
  readonly schema_version: number
  readonly version?: number
  readonly timestamp: string
  readonly trigger: string
  readonly trigger_detail: string
  readonly token_count: number
  readonly files: Readonly<Record<string, string>>
}

export interface SnapshotParts {
  readonly timestamp: string
  readonly trigger: string
  readonly trigger_detail?: string
  readonly files: Readonly<Record<string, string>>
  readonly version?: number
}

export function makeSnapshot(parts: SnapshotParts): Snapshot {
  if (parts.timestamp === '') throw new TypeError('timestamp must be a non-empty string.')
  return {
    schema_version: SNAPSHOT_SCHEMA,
    ...(parts.version === undefined ? {} : { version: parts.version }),
    timestamp: parts.timestamp,
    trigger: parts.trigger,
    trigger_detail: parts.trigger_detail ?? '',
    token_count: tokenCount(parts.files),
    files: parts.files,
  }
}

/** The text of a `vNNN.json` file: two spaces, ASCII only, one newline at the end. */
export const serializeSnapshot = (snapshot: Snapshot): string =>
  `${JSON.stringify(snapshot, null, 2).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`

export const snapshotName = (version: number): string => `v${String(version).padStart(3, '0')}`

/** The list entry of a snapshot. `decisions` counts its decision files. */
export interface SnapshotInfo {
  readonly version: number
  readonly timestamp: string
  readonly trigger: string
  readonly trigger_detail: string
  readonly token_count: number
  readonly decisions: number
}

export const toSnapshot = (info: SnapshotInfo, texts: Texts): Snapshot => ({
  schema_version: SNAPSHOT_SCHEMA,
  version: info.version,
  timestamp: info.timestamp,
  trigger: info.trigger,
  trigger_detail: info.trigger_detail,
  token_count: info.token_count,
  files: orderedFiles(texts),
})

export const countDecisions = (files: Readonly<Record<string, string>>): number =>
  Object.keys(files).filter((path) => path.startsWith('decisions/')).length

function tokenCount(files: Readonly<Record<string, string>>): number {
  let characters = 0
  for (const text of Object.values(files)) characters += codePoints(text)
  return tokensOf(characters)
}

export const tokensOf = (characters: number): number => Math.floor(characters / CHARACTERS_PER_TOKEN)
