import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StoryTemplate } from '../../../../src/analyst/domain/story/story-templates.ts'
import { useAct, useAnswer, useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import field from '../../kit/field.module.css'
import css from './stories.module.css'

const TEMPLATES: readonly { readonly value: StoryTemplate; readonly label: string }[] = [
  { value: 'blank', label: 'Blank page' },
  { value: 'weekly', label: 'Weekly figures' },
  { value: 'question', label: 'One question, one answer' },
  { value: 'comparison', label: 'A period beside the one before' },
]
const COPY = 'copy:'

/** The button that starts a story: on a page of its own, from a template or a copy, or by asking. */
export function NewStory() {
  const project = useProject()
  const [isOpen, setOpen] = useState(false)
  useKeys(isOffered('story_new') ? [{ keys: 'n', does: 'New story', group: 'Stories', run: () => setOpen(true) }] : [])
  if (!isOffered('story_new'))
    return (
      <Link className={css.ask} to="/$project/ask" params={{ project }} search={{ question: 'Write a story about ' }}>
        New story
      </Link>
    )
  return (
    <>
      <Button size="small" icon="plus" onClick={() => setOpen(true)}>
        New story
      </Button>
      {isOpen && <NewStoryDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function NewStoryDialog({ onClose }: { readonly onClose: () => void }) {
  const project = useProject()
  const navigate = useNavigate()
  const { data } = useAnswer('stories_list', {})
  const start = useAct('story_new')
  const [form, setForm, forget] = useKeptForm(`${project}.new-story`, { title: '', from: 'blank' })
  const copies = (data?.stories ?? []).map(({ id, title }) => ({ value: `${COPY}${id}`, label: `Copy of “${title}”` }))
  const options = [...TEMPLATES, ...copies]
  const from = options.some(({ value }) => value === form.from) ? form.from : 'blank'
  const send = (): void => {
    const title = form.title.trim()
    if (title === '' || start.isPending) return
    const source = from.startsWith(COPY) ? { from: from.slice(COPY.length) } : { template: from as StoryTemplate }
    start.mutate(
      { title, ...source },
      {
        onSuccess: ({ slug, waiting, open }) => {
          forget()
          onClose()
          // A filled template runs first and is read; anything else begins with writing.
          const isRead = from.startsWith(COPY) || (waiting.length > 0 && open.length === 0)
          void navigate({
            to: '/$project/stories/$slug',
            params: { project, slug },
            search: isRead ? {} : { view: 'edit' as const },
          })
        },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New story"
      actions={
        <>
          <Link
            className={css.ask}
            to="/$project/ask"
            params={{ project }}
            search={{ question: `Write a story about ${form.title.trim()}` }}
          >
            Ask the analyst
          </Link>
          <Button look="primary" busy={start.isPending} disabled={form.title.trim() === ''} onClick={send}>
            Start
          </Button>
        </>
      }
    >
      <form
        className={css.newStory}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextField
          label="Title"
          value={form.title}
          maxLength={200}
          autoFocus
          onChange={(event) => setForm({ ...form, title: event.target.value })}
        />
        <label className={css.from}>
          Start from
          {/* Native: a list of its own would lie outside of the dialog, which hides what is behind it. */}
          <select
            className={field.input}
            value={from}
            onChange={(event) => setForm({ ...form, from: event.target.value })}
          >
            {TEMPLATES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            {copies.length > 0 && (
              <optgroup label="Your stories">
                {copies.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>
        {start.error !== null && <FaultNote fault={start.error} />}
      </form>
    </Dialog>
  )
}
