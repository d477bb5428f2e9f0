import { type Connection, type MessageType, ShowMessageNotification } from 'vscode-languageserver/node'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'

/** A message that needs no answer. */
export const showMessage = (connection: Connection, type: MessageType, message: string): void =>
  void connection.sendNotification(ShowMessageNotification.type, { type, message: messageText(message) })

/** One line without links: VS Code makes `[text](command:…)` in a message a button that runs the command. */
export const messageText = (text: string): string => visibleLine(text).replaceAll(/\]\s*\(/g, '] - (')
