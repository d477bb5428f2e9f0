import { $createLineBreakNode, $createParagraphNode, $createTextNode, $getRoot, type LexicalNode } from 'lexical'
import { $createMention } from './mention-node.ts'
import { splitMentions } from './split-mentions.ts'

/** Replaces the editor's text, with its mentions as nodes, and puts the cursor at the end. */
export function $setText(text: string): void {
  const paragraph = $createParagraphNode()
  text.split('\n').forEach((line, at) => {
    if (at > 0) paragraph.append($createLineBreakNode())
    paragraph.append(...$nodesOf(line))
  })
  $getRoot().clear().append(paragraph)
  paragraph.selectEnd()
}

/** The question's text, with line breaks and mentions as written. */
export const $getText = (): string => $getRoot().getTextContent()

const $nodesOf = (line: string): LexicalNode[] =>
  splitMentions(line).map(({ text, isMention }) => (isMention ? $createMention(text) : $createTextNode(text)))
