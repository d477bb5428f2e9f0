import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { sql } from '@codemirror/lang-sql'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import {
  Annotation,
  Compartment,
  EditorState,
  StateEffect,
  StateField,
  type Extension,
  type Text,
} from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  hoverTooltip,
  Decoration,
  type DecorationSet,
} from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { focusFirst } from '../first-focus.ts'
import type { Caret, CodeEditorProps } from './code-editor.tsx'
import { codeColours, codeTheme } from './code-look.ts'
import type { CodeLanguage, CodeHelp, CodeProblem } from './code-parts.ts'

interface CodeMirrorProps extends CodeEditorProps {
  readonly caret: Caret
  readonly describedBy: string
}

/** CodeMirror itself; loaded by the first visible editor. */
export default function CodeMirror(props: CodeMirrorProps) {
  const { value, problems, label, describedBy, isReadOnly, language } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const now = useRef(props)
  // Typed texts not yet returned as `value`.
  const typed = useRef<string[]>([])
  useLayoutEffect(() => {
    now.current = props
  })
  const settings = useRef(new Compartment())
  // Runs before the next key press: until now the replaced textarea has the focus.
  useLayoutEffect(() => {
    const opened = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: now.current.value,
        extensions: [behaviour(now, typed, language), settings.current.of(shown(now.current))],
      }),
    })
    view.current = opened
    const inserter = now.current.insert
    if (inserter !== undefined) inserter.current = (text) => insertBlock(opened, text)
    const { caret } = now.current
    if (caret.current !== undefined) {
      opened.dispatch({ selection: { anchor: Math.min(caret.current, opened.state.doc.length) } })
      opened.focus()
      caret.current = undefined
    } else if (now.current.takesFocus === true) focusFirst(opened.contentDOM)
    return () => {
      // React may remount the editor, as after a suspension, and the caret must be kept.
      if (opened.hasFocus) caret.current = opened.state.selection.main.head
      opened.destroy()
    }
  }, [language])
  useEffect(() => {
    view.current?.dispatch({ effects: settings.current.reconfigure(shown({ label, describedBy, isReadOnly })) })
  }, [label, describedBy, isReadOnly, language])
  useEffect(() => {
    const opened = view.current
    const echo = typed.current.indexOf(value)
    // An echo may lag behind the keys; applying it would remove text typed since.
    typed.current.splice(0, echo === -1 ? typed.current.length : echo + 1)
    if (opened === undefined || echo !== -1 || opened.state.doc.toString() === value) return
    opened.dispatch({
      changes: { from: 0, to: opened.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    })
  }, [value])
  useEffect(() => view.current?.dispatch({ effects: withProblems.of(problems ?? []) }), [problems, language])
  return <div ref={place} style={{ display: 'contents' }} />
}

/** Inserts a block with empty lines around it, and puts the caret behind it. */
function insertBlock(view: EditorView, text: string): void {
  const { doc, selection } = view.state
  const { to, text: line } = doc.lineAt(selection.main.head)
  const gap = doc.length === 0 ? '' : line.trim() === '' ? '\n' : '\n\n'
  const after = doc.sliceString(to, to + 2) === '\n\n' || to === doc.length ? '' : '\n'
  view.dispatch({
    changes: { from: to, insert: `${gap}${text}${after}` },
    selection: { anchor: to + gap.length + text.length },
    scrollIntoView: true,
  })
  view.focus()
}

const fromOutside = Annotation.define<boolean>()

const shown = ({
  label,
  describedBy,
  isReadOnly = false,
}: {
  readonly label: string
  readonly describedBy: string
  readonly isReadOnly?: boolean | undefined
}): Extension => [
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-describedby': describedBy }),
  EditorState.readOnly.of(isReadOnly),
]

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

/** Everything that is constant while the text changes; props are read when needed. */
const behaviour = (
  now: { readonly current: CodeMirrorProps },
  typed: { readonly current: string[] },
  language: CodeLanguage,
): Extension => [
  EditorView.cspNonce.of(nonce()),
  codeTheme,
  syntaxHighlighting(codeColours),
  LANGUAGES[language](),
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorView.lineWrapping,
  problemMarks,
  codeHelp(() => now.current.help),
  autocompletion({
    override: [
      ({ state, pos, explicit }) => {
        const found = now.current.complete?.(state.doc.toString(), pos)
        if (found === undefined || (found.from === pos && !explicit)) return null
        return { from: found.from, options: found.choices.map((one) => ({ ...one })) }
      },
    ],
  }),
  keymap.of([
    { key: 'Mod-s', run: () => saved(now.current), preventDefault: true },
    { key: 'Mod-Enter', run: () => saved(now.current) },
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    indentWithTab,
    ...defaultKeymap,
  ]),
  EditorView.updateListener.of((update) => {
    if (!update.docChanged || update.transactions.some((one) => one.annotation(fromOutside))) return
    const text = update.state.doc.toString()
    typed.current.push(text)
    now.current.onChange(text)
  }),
]

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = {
  sql: () => sql(),
  markdown: () => markdown({ completeHTMLTags: false }),
  yaml: () => yaml(),
}

function saved({ onSave }: CodeMirrorProps): boolean {
  onSave?.()
  return onSave !== undefined
}

/** Shows help for the word under the pointer, always as plain text. */
const codeHelp = (helpOf: () => CodeHelp | undefined): Extension =>
  hoverTooltip((view, pos) => {
    const told = helpOf()?.(view.state.doc.toString(), pos)
    if (told === undefined || told === '') return null
    return {
      pos,
      above: true,
      create: () => {
        const dom = document.createElement('div')
        dom.className = 'cm-help'
        dom.textContent = told
        return { dom }
      },
    }
  })

/** Sets the problems of an editor's text. */
const withProblems = StateEffect.define<readonly CodeProblem[]>()

/** Lines with problems are underlined; the messages are below the editor, readable for everybody. */
const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    const told = effects.findLast((effect) => effect.is(withProblems))
    return told === undefined ? marks.map(changes) : marksOf(told.value as readonly CodeProblem[], newDoc)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function marksOf(problems: readonly CodeProblem[], text: Text): DecorationSet {
  const places = problems.flatMap(({ line, tone }) => {
    if (line < 1 || line > text.lines) return []
    const { from, to, text: content } = text.line(line)
    const start = from + content.length - content.trimStart().length
    if (start >= to) return []
    return [Decoration.mark({ class: tone === 'bad' ? 'cm-problem cm-problem-bad' : 'cm-problem' }).range(start, to)]
  })
  return Decoration.set(places, true)
}
