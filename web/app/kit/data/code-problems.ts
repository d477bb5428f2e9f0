import { StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import type { CodeProblem } from './code-parts.ts'

/** Sets the problems of an editor's text. */
export const withProblems = StateEffect.define<readonly CodeProblem[]>()

/** Lines with problems are underlined; the messages are below the editor, readable for everybody. */
export const problemMarks = StateField.define<DecorationSet>({
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
