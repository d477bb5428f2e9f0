import { AppError } from '../../kernel/domain/errors.ts'

export const noChat = (id: string): AppError =>
  new AppError('not_found', `No chat ${id}.`, { hint: 'List the chats to see their ids.' })

export const noMessage = (id: string): AppError => new AppError('not_found', `No message ${id}.`)

export const noPart = (number: number): AppError => new AppError('not_found', `No text number ${number} in this chat.`)

export const noStory = (id: string): AppError =>
  new AppError('not_found', `No story ${id}.`, { hint: 'List the stories to see their names.' })

export const noDraft = (id: string): AppError =>
  new AppError('not_found', `No draft ${id}.`, { hint: 'List the inbox to see pending drafts.' })

export const noRun = (id: string): AppError =>
  new AppError('not_found', `No run ${id}.`, { hint: 'List the runs to see their ids.' })

export const taken = (what: string, id: string): AppError =>
  new AppError('conflict', `The ${what} ${id} already exists.`)

export const settledAlready = (id: string, how: string): AppError =>
  new AppError('conflict', `The draft ${id} was already ${how}.`)
