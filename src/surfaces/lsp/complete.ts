import type { TextDocument } from 'vscode-languageserver-textdocument'
import { type CompletionItem, CompletionItemKind, type CompletionList, type Position } from 'vscode-languageserver/node'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import {
  CONFIDENCES,
  DECISION_TYPES,
  FRONTMATTER_KEYS,
  label,
  REVERSIBILITIES,
  SOURCES,
  STATUSES,
} from '../../record/domain/decision/decision.ts'
import { QUESTIONS } from '../../record/domain/files.ts'
import { openQuestions } from '../../record/domain/question.ts'
import { lineAt } from './look-up.ts'
import type { EditorProject, Place } from './open-projects.ts'
import { stemOf } from './record-diagnostics.ts'
import { isInComment, PROSE } from './references.ts'

const MOST = 200

const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: STATUSES,
  confidence: CONFIDENCES,
  decision_type: DECISION_TYPES,
  reversibility: REVERSIBILITIES,
  source: SOURCES,
}

/** Ids of decisions and open questions in prose and comments; keys and values in a decision's frontmatter. */
export async function completionsAt(
  document: TextDocument,
  { project, path, isRecord }: Place,
  position: Position,
): Promise<CompletionList | undefined> {
  const line = lineAt(document, position.line)
  const before = line.slice(0, position.character)
  if (isRecord && stemOf(path) !== undefined && isInFrontmatter(document, position.line))
    return frontmatter(document, project, before)
  const [typed] = /(?<![\w#&.@/-])[DQ]\d*$/.exec(before) ?? []
  const at = document.offsetAt(position)
  const isProse = PROSE.has(document.languageId) || isInComment(document.getText(), at - (typed?.length ?? 0))
  if (typed === undefined || !isProse) return undefined
  const start = { line: position.line, character: position.character - typed.length }
  const items = typed.startsWith('D') ? decisions(project) : await questions(project)
  return {
    isIncomplete: items.length > MOST,
    items: items
      .filter(({ label: id }) => typed.length === 1 || id.replace(/^D0*/, 'D').startsWith(typed.replace(/^D0*/, 'D')))
      .slice(0, MOST)
      .map((item) => ({ ...item, textEdit: { range: { start, end: position }, newText: item.label } })),
  }
}

function decisions(project: EditorProject): CompletionItem[] {
  return project.judge
    .record()
    .decisions.toReversed()
    .map((entry, i) => ({
      label: label(entry.num),
      kind: CompletionItemKind.Reference,
      detail: visibleLine(entry.title),
      filterText: `D${entry.num} ${label(entry.num)}`,
      // Newest first, active decisions before all others.
      sortText: `${entry.status === 'active' ? 0 : 1}${String(i).padStart(6, '0')}`,
    }))
}

async function questions(project: EditorProject): Promise<CompletionItem[]> {
  return openQuestions((await project.store.read(QUESTIONS)) ?? '').map(({ id, body }) => ({
    label: id,
    kind: CompletionItemKind.Reference,
    detail: visibleLine(body).slice(0, 120),
  }))
}

function isInFrontmatter(document: TextDocument, line: number): boolean {
  const lines = document
    .getText({ start: { line: 0, character: 0 }, end: { line: line + 1, character: 0 } })
    .split('\n')
  return lines[0] === '---' && line > 0 && !lines.slice(1, line + 1).includes('---')
}

function frontmatter(document: TextDocument, project: EditorProject, before: string): CompletionList | undefined {
  const [, key, quote] = /^(\w+):\s*(['"]?)[\w-]*$/.exec(before) ?? []
  if (key === 'supersedes' || key === 'superseded_by')
    return {
      isIncomplete: false,
      items: decisions(project)
        .slice(0, MOST)
        .map((item) => {
          const num = item.label.replace(/^D0*/, '')
          return { ...item, label: quote === '' ? `'${num}'` : num, filterText: num }
        }),
    }
  const values = key === undefined ? undefined : VALUES[key]
  if (values !== undefined)
    return {
      isIncomplete: false,
      items: values.map((value) => ({ label: value, kind: CompletionItemKind.EnumMember })),
    }
  if (!/^\w*$/.test(before)) return undefined
  const text = document.getText()
  return {
    isIncomplete: false,
    items: FRONTMATTER_KEYS.filter((each) => !new RegExp(`^${each}:`, 'm').test(text)).map((each) => ({
      label: each,
      kind: CompletionItemKind.Property,
      insertText: `${each}: `,
    })),
  }
}
