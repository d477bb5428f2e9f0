import {
  COMMAND_PRIORITY_HIGH,
  KEY_ARROW_DOWN_COMMAND,
  KEY_ARROW_UP_COMMAND,
  KEY_ENTER_COMMAND,
  KEY_ESCAPE_COMMAND,
  KEY_TAB_COMMAND,
  type LexicalCommand,
  type LexicalEditor,
} from 'lexical'

type Deed = 'next' | 'previous' | 'take' | 'leave'

const KEYS: readonly (readonly [LexicalCommand<KeyboardEvent | null>, Deed])[] = [
  [KEY_ARROW_DOWN_COMMAND as LexicalCommand<KeyboardEvent | null>, 'next'],
  [KEY_ARROW_UP_COMMAND as LexicalCommand<KeyboardEvent | null>, 'previous'],
  [KEY_ENTER_COMMAND, 'take'],
  [KEY_TAB_COMMAND as LexicalCommand<KeyboardEvent | null>, 'take'],
  [KEY_ESCAPE_COMMAND as LexicalCommand<KeyboardEvent | null>, 'leave'],
]

/** Handles keys of a menu below the field before the field does; `act` returns whether it handled the key. */
export function onMenuKeys(editor: LexicalEditor, act: (deed: Deed) => boolean): () => void {
  const offs = KEYS.map(([command, deed]) =>
    editor.registerCommand(
      command,
      (event) => {
        if (event?.isComposing === true || (deed === 'take' && event?.shiftKey === true) || !act(deed)) return false
        event?.preventDefault()
        event?.stopPropagation()
        return true
      },
      COMMAND_PRIORITY_HIGH,
    ),
  )
  return () => offs.forEach((off) => off())
}
