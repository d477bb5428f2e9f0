import { lazy, Suspense, useId, useRef, type KeyboardEvent, type RefObject } from 'react'
import type { CodeHelp, CodeLanguage, CodeProblem, CompleteCode } from './code-parts.ts'
import css from './code-editor.module.css'

export interface CodeEditorProps {
  readonly label: string
  readonly language: CodeLanguage
  readonly value: string
  readonly onChange: (text: string) => void
  readonly problems?: readonly CodeProblem[]
  readonly complete?: CompleteCode
  /** Called when the pointer is on a word. */
  readonly help?: CodeHelp
  /** Called on ⌘S, Ctrl-S and ⌘⏎. */
  readonly onSave?: () => void
  readonly isReadOnly?: boolean
  /** Focuses the editor when it opens. */
  readonly takesFocus?: boolean
  readonly isFilling?: boolean
  /** Set once the editor is there: inserts a text as a block of its own after the line of the caret. */
  readonly insert?: RefObject<((text: string) => void) | undefined>
}

const CodeMirror = lazy(() => import('./code-mirror.tsx'))

/** An editor for SQL, Markdown or YAML. */
export function CodeEditor(props: CodeEditorProps) {
  const id = useId()
  const caret = useRef<number>(undefined)
  const problems = props.problems ?? []
  return (
    <div className={props.isFilling === true ? `${css.frame} ${css.filling}` : css.frame} onKeyDown={kept}>
      <Suspense fallback={<Waiting {...props} caret={caret} />}>
        <CodeMirror {...props} caret={caret} describedBy={`${id}-way${problems.length > 0 ? ` ${id}-problems` : ''}`} />
      </Suspense>
      <p id={`${id}-way`} className="visually-hidden">
        Tab indents. Press Escape, then Tab to leave the editor.
      </p>
      {problems.length > 0 && (
        <ul id={`${id}-problems`} className={css.problems}>
          {problems.map(({ line, message, tone }, at) => (
            <li key={at} className={tone === 'bad' ? css.bad : css.warn}>
              <span className={css.line}>line {line}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Escape leaves the editor without closing anything on the page. */
const kept = (event: KeyboardEvent): void => {
  if (event.key === 'Escape') event.stopPropagation()
}

/** Caret position while the editor loads, so that neither text nor position is lost. */
export type Caret = RefObject<number | undefined>

const Waiting = ({ label, value, onChange, isReadOnly, caret }: CodeEditorProps & { readonly caret: Caret }) => (
  <textarea
    className={css.waiting}
    aria-label={label}
    value={value}
    readOnly={isReadOnly === true}
    onChange={(event) => {
      // A selection is only reported after the key is released, and the editor may come before that.
      caret.current = event.target.selectionStart
      onChange(event.target.value)
    }}
    onSelect={(event) => {
      caret.current = event.currentTarget.selectionStart
    }}
    onBlur={() => {
      caret.current = undefined
    }}
  />
)
