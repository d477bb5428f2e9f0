import { LexicalComposer, type InitialConfigType } from '@lexical/react/LexicalComposer'
import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext'
import { ContentEditable } from '@lexical/react/LexicalContentEditable'
import { LexicalErrorBoundary } from '@lexical/react/LexicalErrorBoundary'
import { HistoryPlugin } from '@lexical/react/LexicalHistoryPlugin'
import { PlainTextPlugin } from '@lexical/react/LexicalPlainTextPlugin'
import {
  $getSelection,
  $isRangeSelection,
  COMMAND_PRIORITY_LOW,
  KEY_ENTER_COMMAND,
  PASTE_COMMAND,
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  type LexicalNode,
} from 'lexical'
import { useEffect, useEffectEvent, useImperativeHandle, useState, type Ref } from 'react'
import { MentionMenu, type MenuState } from './mention-menu.tsx'
import { MentionNode, $createMention } from './mention-node.ts'
import { splitMentions } from './split-mentions.ts'
import css from './composer-editor.module.css'

export interface EditorHandle {
  set(text: string): void
  /** Inserts at the cursor as if typed, with a space before it if needed. */
  type(text: string): void
}

interface Props {
  readonly ref: Ref<EditorHandle>
  readonly first: string
  readonly onText: (text: string) => void
  readonly onSend: () => void
  readonly onFiles: (files: readonly File[]) => void
  readonly isBusy: boolean
}

/** The input field. ⏎ sends, ⇧⏎ starts a new line. */
export const ComposerEditor = ({ first, isBusy, ...rest }: Props) => {
  const [config] = useState<InitialConfigType>(() => ({
    namespace: 'ask',
    nodes: [MentionNode],
    editorState: () => $setText(first),
    onError: (error) => {
      throw error
    },
  }))
  const [menu, setMenu] = useState<MenuState>()
  const placeholder = isBusy ? 'Ask next, after this answer' : 'Ask about data, decisions, documents or sessions'
  return (
    <LexicalComposer initialConfig={config}>
      <div className={css.around}>
        <PlainTextPlugin
          contentEditable={
            <ContentEditable
              className={css.field}
              aria-label="Question"
              aria-multiline
              aria-autocomplete="list"
              aria-haspopup="listbox"
              aria-controls={menu?.id}
              aria-activedescendant={menu?.active}
              aria-placeholder={placeholder}
              placeholder={<div className={css.placeholder}>{placeholder}</div>}
            />
          }
          ErrorBoundary={LexicalErrorBoundary}
        />
        <HistoryPlugin />
        <MentionMenu onState={setMenu} />
        <Wiring {...rest} />
      </div>
    </LexicalComposer>
  )
}

/** Passes typed, sent and pasted content to the composer. */
const Wiring = ({ ref, onText, onSend, onFiles }: Omit<Props, 'first' | 'isBusy'>) => {
  const [editor] = useLexicalComposerContext()
  const tell = useEffectEvent(onText)
  const send = useEffectEvent(onSend)
  const take = useEffectEvent(onFiles)
  useImperativeHandle(
    ref,
    () => ({
      set: (text) => editor.update(() => $setText(text)),
      type: (text) =>
        editor.focus(() =>
          editor.update(() => {
            const selection = $getSelection()
            if (!$isRangeSelection(selection)) return
            const before = selection.anchor.getNode().getTextContent().slice(0, selection.anchor.offset)
            selection.insertText(/\S$/.test(before) ? ` ${text}` : text)
          }),
        ),
    }),
    [editor],
  )
  useEffect(
    () => editor.registerUpdateListener(({ editorState }) => tell(editorState.read(() => $getText()))),
    [editor],
  )
  useEffect(() => {
    const offEnter = editor.registerCommand(
      KEY_ENTER_COMMAND,
      (event) => {
        // During composition, ⏎ accepts the composed word.
        if (event === null || event.shiftKey || event.isComposing) return false
        event.preventDefault()
        send()
        return true
      },
      COMMAND_PRIORITY_LOW,
    )
    const offPaste = editor.registerCommand(
      PASTE_COMMAND,
      (event) => {
        const files = event instanceof ClipboardEvent ? [...(event.clipboardData?.files ?? [])] : []
        if (files.length === 0) return false
        event.preventDefault()
        take(files)
        return true
      },
      COMMAND_PRIORITY_LOW,
    )
    return () => {
      offEnter()
      offPaste()
    }
  }, [editor])
  return null
}

/** Replaces the editor's text, with its mentions as nodes, and puts the cursor at the end. */
function $setText(text: string): void {
  const paragraph = $createParagraphNode()
  text.split('\n').forEach((line, at) => {
    if (at > 0) paragraph.append($createLineBreakNode())
    paragraph.append(...$nodesOf(line))
  })
  $getRoot().clear().append(paragraph)
  paragraph.selectEnd()
}

/** The question's text, with line breaks and mentions as written. */
const $getText = (): string => $getRoot().getTextContent()

const $nodesOf = (line: string): LexicalNode[] =>
  splitMentions(line).map(({ text, isMention }) => (isMention ? $createMention(text) : $createTextNode(text)))
