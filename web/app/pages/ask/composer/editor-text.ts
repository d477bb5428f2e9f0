import { $createLineBreakNode, $createParagraphNode, $createTextNode, $getRoot, type LexicalNode } from 'lexical'
import { $createMention } from './mention-node.ts'
import { splitMentions } from './split-mentions.ts'

/** Puts a text into the editor, its mentions as pieces, and the cursor behind it. */
export function $setText(text: string): void {
  const paragraph = $createParagraphNode()
  text.split('\n').forEach((line, at) => {
    if (at > 0) paragraph.append($createLineBreakNode())
    paragraph.append(...$nodesOf(line))
  })
  $getRoot().clear().append(paragraph)
  paragraph.selectEnd()
}

/** What is asked: lines are lines, mentions as they are written. */
export const $getText = (): string => $getRoot().getTextContent()

const $nodesOf = (line: string): LexicalNode[] =>
  splitMentions(line).map(({ text, isMention }) => (isMention ? $createMention(text) : $createTextNode(text)))
