import { useAct, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextArea } from '../../kit/field.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import css from './comments.module.css'

interface CommentFormProps {
  /** Slug or id of the story. */
  readonly story: string
  readonly label: string
  /** The block that it is about, in a version, or the comment that it answers; neither for the whole story. */
  readonly about: { readonly block: number; readonly version: number } | { readonly answers: string } | undefined
  readonly onDone?: () => void
}

/** Writes a comment; its text is kept until it is sent. */
export function CommentForm({ story, label, about, onDone }: CommentFormProps) {
  const project = useProject()
  const place = about === undefined ? 'story' : 'answers' in about ? about.answers : String(about.block)
  const [form, setForm, forget] = useKeptForm(`${project}.comment.${story}.${place}`, { text: '' })
  const add = useAct('story_comment')
  const send = (): void => {
    const text = form.text.trim()
    if (text === '' || add.isPending) return
    const where =
      about === undefined || 'answers' in about ? about : { on: String(about.block), version: about.version }
    add.mutate(
      { slug: story, text, ...where },
      {
        onSuccess: () => {
          forget()
          onDone?.()
        },
      },
    )
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={label}
        hideLabel
        placeholder={label}
        rows={2}
        value={form.text}
        maxLength={5_000}
        autoFocus={onDone !== undefined}
        onChange={(event) => setForm({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
        }}
      />
      {add.error !== null && <FaultNote fault={add.error} />}
      <div className={css.buttons}>
        <Button type="submit" size="small" look="primary" busy={add.isPending} disabled={form.text.trim() === ''}>
          {about !== undefined && 'answers' in about ? 'Reply' : 'Comment'}
        </Button>
        {onDone !== undefined && (
          <Button size="small" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
