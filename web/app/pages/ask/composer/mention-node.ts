import { $create, TextNode, type EditorConfig, type LexicalNode } from 'lexical'

/** A mention in a question, `@main.orders` or `/weekly`: deleted as a whole. */
export class MentionNode extends TextNode {
  override $config() {
    return this.config('mention', { extends: TextNode })
  }

  override createDOM(config: EditorConfig): HTMLElement {
    const element = super.createDOM(config)
    element.dataset['mention'] = ''
    element.spellcheck = false
    return element
  }

  override canInsertTextBefore(): boolean {
    return false
  }

  override canInsertTextAfter(): boolean {
    return false
  }

  override isTextEntity(): true {
    return true
  }
}

export const $createMention = (text: string): MentionNode => $create(MentionNode).setTextContent(text).setMode('token')

export const $isMention = (node: LexicalNode | null | undefined): node is MentionNode => node instanceof MentionNode
