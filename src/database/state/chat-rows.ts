import type { Chat, ChatMessage, ChatOrigin, MessageEnd, SharedVisibility } from '../../analyst/domain/chat/chat.ts'
import { checkPartSize, keptText } from '../../analyst/domain/chat/kept-sizes.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import type { StoredPart } from '../../analyst/ports/chat-log.ts'
import type { ChatQueryResult } from '../../analyst/ports/chat-queries.ts'
import { given, givenJson, isSet, parsed, type Row } from './given.ts'

export const chatOf = (row: Row): Chat => ({
  id: String(row['id']),
  user: String(row['user']),
  project: String(row['project']),
  folder: String(row['folder']),
  title: String(row['title']),
  starred: isSet(row['starred']),
  createdAt: String(row['created_at']),
  updatedAt: String(row['updated_at']),
  ...given('deletedAt', row['deleted_at']),
  ...given('clientSession', row['client_session']),
  ...givenJson<'origin', ChatOrigin>('origin', row['origin']),
  ...visibilityOf(row),
})

/** Visibility of a row, if any: a local state has no such column. */
export const visibilityOf = ({ visibility }: Row): { readonly visibility?: SharedVisibility } =>
  visibility === 'project' || visibility === 'named' ? { visibility } : {}

export interface KeptPart {
  readonly kind: ChatPart['kind']
  /** The part as JSON, without its kind and the growing text. */
  readonly body: string
  readonly text: string | null
}

export function keptPart({ kind, ...part }: ChatPart): KeptPart {
  const isGrowing = kind === 'text' || kind === 'reasoning'
  const { text, ...rest } = part as { readonly text?: string }
  const body = JSON.stringify(isGrowing ? rest : part)
  checkPartSize(body.length + (isGrowing ? text!.length : 0))
  return { kind, body, text: isGrowing ? keptText(text!) : null }
}

export const partOf = (row: Row): StoredPart => ({
  number: Number(row['number']),
  message: String(row['message']),
  at: String(row['at']),
  part: {
    kind: row['kind'],
    ...given('text', row['text']),
    ...parsed<object>(row['body']),
  } as unknown as ChatPart,
})

export const messageOf = (row: Row): ChatMessage => ({
  id: String(row['id']),
  chat: String(row['chat']),
  role: row['role'] as ChatMessage['role'],
  at: String(row['at']),
  ...given('model', row['model']),
  ...givenJson<'end', MessageEnd>('end', row['ending']),
  superseded: isSet(row['superseded']),
})

export const queryOf = (row: Row): Omit<ChatQueryResult, 'rows'> => ({
  chat: String(row['chat']),
  id: String(row['id']),
  message: String(row['message']),
  database: String(row['database']),
  sql: String(row['sql']),
  columns: parsed<ChatQueryResult['columns']>(row['columns']),
  rowCount: Number(row['row_count']),
  cut: isSet(row['cut']),
  at: String(row['at']),
})
