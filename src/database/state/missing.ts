import { AppError } from '../../kernel/domain/errors.ts'

export const noChat = (id: string): AppError =>
  new AppError('not_found', `There is no chat ${id}.`, { hint: 'List the chats to see their ids.' })

export const noMessage = (id: string): AppError => new AppError('not_found', `There is no message ${id}.`)

export const noPart = (number: number): AppError =>
  new AppError('not_found', `There is no text with the number ${number} in this chat.`)

export const noStory = (id: string): AppError =>
  new AppError('not_found', `There is no story ${id}.`, { hint: 'List the stories to see what they are called.' })

export const noDraft = (id: string): AppError =>
  new AppError('not_found', `There is no draft ${id}.`, { hint: 'List the inbox to see what waits.' })

export const noRun = (id: string): AppError =>
  new AppError('not_found', `There is no run ${id}.`, { hint: 'List the runs to see their ids.' })

export const taken = (what: string, id: string): AppError =>
  new AppError('conflict', `There is a ${what} ${id} already.`)

export const settledAlready = (id: string, how: string): AppError =>
  new AppError('conflict', `The draft ${id} was ${how} already.`)
