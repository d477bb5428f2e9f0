import { useCallback, useRef, useState, type DragEvent } from 'react'
import { useProject } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { classNames } from '../../../kit/class-names.ts'
import { Tooltip } from '../../../kit/tooltip.tsx'
import type { Ask } from '../ask-function.ts'
import type { ChatLog } from '../chat-log.ts'
import { keepDraft, readDraft } from '../drafts.ts'
import { AttachedFiles } from './attached-files.tsx'
import { withTexts, takeFiles, type Attachment } from './attachments.ts'
import { ComposerEditor, type EditorHandle } from './composer-editor.tsx'
import { ModelMenu } from './model-menu.tsx'
import { WindowRing } from './window-ring.tsx'
import css from './composer.module.css'

interface Props {
  /** Chat of the draft; empty for a new chat. */
  readonly chat?: string
  readonly log?: ChatLog
  readonly isBusy: boolean
  /** Initial text if there is no draft. */
  readonly first?: string | undefined
  readonly onSend: Ask
  readonly onStop?: () => void
}

/** Input for a question: mentions with @ and /, files and images, the model, and the usage of its context window. */
export const Composer = ({ chat = '', log, isBusy, first = '', onSend, onStop }: Props) => {
  const project = useProject()
  const [text, setText] = useState(() => readDraft(project, chat) || first)
  const editor = useRef<EditorHandle>(null)
  const files = useAttachments()
  const drop = useDrop(files.add)
  const isEmpty = text.trim() === '' && files.all.length === 0
  const change = useCallback(
    (words: string) => {
      setText(words)
      keepDraft(project, chat, words)
    },
    [project, chat],
  )
  const send = (): void => {
    if (isEmpty) return
    const images = files.all.flatMap((one) => (one.kind === 'image' ? [one.url] : []))
    onSend(withTexts(text.trim() || 'What is in this?', files.all), { images })
    files.clear()
    editor.current?.set('')
    change('')
  }
  return (
    <div className={classNames(css.composer, drop.isOver && css.over)} {...drop.handlers}>
      <AttachedFiles files={files.all} refused={files.refused} onRemove={files.remove} />
      <ComposerEditor ref={editor} first={text} onText={change} onSend={send} onFiles={files.add} isBusy={isBusy} />
      <div className={css.bar}>
        <Tooltip text="Mention a table, a document or a story">
          <IconButton
            size="small"
            icon="table"
            label="Mention a table or document"
            onClick={() => editor.current?.type('@')}
          />
        </Tooltip>
        <Tooltip text="Mention a skill">
          <Button size="small" look="quiet" aria-label="Mention a skill" onClick={() => editor.current?.type('/')}>
            /
          </Button>
        </Tooltip>
        <FilePicker onFiles={files.add} />
        <span className={css.space} />
        <ModelMenu />
        <WindowRing log={log} />
        {isBusy && isEmpty && onStop !== undefined ? (
          <IconButton look="primary" icon="stop" label="Stop" onClick={onStop} />
        ) : (
          <IconButton
            look="primary"
            icon="send"
            label={isBusy ? 'Ask after this answer' : 'Ask'}
            aria-disabled={isEmpty}
            onClick={send}
          />
        )}
      </div>
    </div>
  )
}

const FilePicker = ({ onFiles }: { onFiles: (files: readonly File[]) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Tooltip text="Add images or text files">
        <IconButton size="small" icon="attach" label="Add files" onClick={() => input.current?.click()} />
      </Tooltip>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Allows choosing the same file again after it was removed.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Accepts files dropped anywhere on the composer. */
function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent): void => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent): void => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDropCapture: (event: DragEvent): void => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

interface Attachments {
  readonly all: readonly Attachment[]
  /** Why the last files were refused. */
  readonly refused: readonly string[]
  readonly add: (files: readonly File[]) => void
  readonly remove: (at: number) => void
  readonly clear: () => void
}

/** Files attached to the next question. */
function useAttachments(): Attachments {
  const [all, setAll] = useState<readonly Attachment[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const now = useRef(all)
  const set = useCallback((next: readonly Attachment[]) => {
    now.current = next
    setAll(next)
  }, [])
  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return
      void takeFiles(files, now.current).then((found) => {
        set([...now.current, ...found.taken])
        setRefused(found.refused)
      })
    },
    [set],
  )
  const remove = useCallback((at: number) => set(now.current.filter((_, index) => index !== at)), [set])
  const clear = useCallback(() => {
    set([])
    setRefused([])
  }, [set])
  return { all, refused, add, remove, clear }
}
