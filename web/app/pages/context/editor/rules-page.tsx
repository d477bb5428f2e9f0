import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import { Reading } from '../../../kit/reading.tsx'
import { EditorHead } from './editor-head.tsx'
import { useProjectText } from './use-project-text.ts'
import styles from './editor.module.css'

/** RULES.md editor with a preview: rules for everybody who answers from this context. */
export const RulesPage = () => {
  const text = useProjectText('RULES.md')
  return (
    <div className={styles.around}>
      <article className={styles.page}>
        <EditorHead
          title="RULES.md"
          about="Definitions, filters and pitfalls for answering from this context. Added to every question."
          text={text}
        />
        <div className={styles.sides}>
          <CodeEditor
            label="RULES.md"
            language="markdown"
            value={text.text}
            onChange={text.change}
            onSave={text.save}
            isReadOnly={text.shown === undefined || text.shown.fixed !== undefined}
            isFilling
          />
          <section aria-label="Preview" className={styles.preview}>
            {text.text.trim() === '' ? (
              <p className={styles.about}>For example: “Revenue excludes tax and returned orders.”</p>
            ) : (
              <Reading text={text.text} heading={2} />
            )}
          </section>
        </div>
      </article>
    </div>
  )
}
