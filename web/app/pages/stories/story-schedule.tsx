import { useMemo, useState } from 'react'
import { readSchedule } from '../../../../src/analyst/domain/story/schedule.ts'
import { AppError } from '../../../../src/kernel/domain/errors.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextField } from '../../kit/field.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { useDraft } from '../../kit/use-draft.ts'
import type { ShownStory } from './story-page.tsx'
import css from './story.module.css'

const EXAMPLES = ['every weekday at 8', 'hourly', 'every monday 9am', 'first of the month', 'every 15 minutes']

/** Sets when a story is refreshed, in plain English that is interpreted while typing. */
export function StorySchedule({ story, onClose }: { readonly story: ShownStory; readonly onClose: () => void }) {
  const { slug, schedule } = story
  const timezone = schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [now] = useState(() => new Date())
  const words = schedule === undefined ? '' : inWords(schedule, timezone, now)
  const draft = useDraft(`${useProject()}.story-schedule.${slug}`, words)
  const understood = useMemo(() => understand(draft.text, timezone, now), [draft.text, timezone, now])
  const act = useAct('story_schedule')
  const send = (when: string): void =>
    act.mutate(
      { slug, when, timezone },
      {
        onSuccess: (done) => {
          draft.clear()
          onClose()
          showToast({
            text: done.schedule === undefined ? 'Schedule turned off' : `Refreshed ${done.schedule.says}`,
          })
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Schedule"
      description="When to run its queries again: plain English or cron."
      actions={
        <>
          {schedule !== undefined && (
            <Button busy={act.isPending} onClick={() => send('off')}>
              Turn off
            </Button>
          )}
          <Button
            look="primary"
            busy={act.isPending}
            disabled={understood.says === undefined}
            onClick={() => send(draft.text)}
          >
            Save
          </Button>
        </>
      }
    >
      <form
        className={css.schedule}
        onSubmit={(event) => {
          event.preventDefault()
          if (understood.says !== undefined) send(draft.text)
        }}
      >
        <TextField
          label="When"
          value={draft.text}
          placeholder="every weekday at 8"
          hint={understood.hint}
          error={understood.problem}
          onChange={(event) => draft.set(event.target.value)}
        />
        <div className={css.examples} role="group" aria-label="Examples">
          {EXAMPLES.map((example) => (
            <Button key={example} size="small" onClick={() => draft.set(example)}>
              {example}
            </Button>
          ))}
        </div>
        <p className={css.note}>
          Runs while one of these is running: <code>ken watch</code> or <code>ken serve --http</code>. Missed times run
          once, at the next start.
        </p>
        {act.error !== null && <FaultNote fault={act.error} />}
      </form>
    </Dialog>
  )
}

/** The schedule as it would be typed: its words if they parse to the same schedule, otherwise its cron fields. */
function inWords({ says, cron }: { says: string; cron: string }, timezone: string, now: Date): string {
  try {
    return readSchedule(says, { timezone, now }).cron === cron ? says : cron
  } catch {
    return cron
  }
}

interface Understood {
  readonly says?: string
  readonly hint?: string
  readonly problem?: string
}

function understand(text: string, timezone: string, now: Date): Understood {
  if (text.trim() === '') return { hint: `Times are in ${timezone}.` }
  try {
    const { says, next, timezone: zone } = readSchedule(text, { timezone, now })
    const when = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })
    return { says, hint: `${says} (${zone}), next on ${when.format(new Date(next))}` }
  } catch (error) {
    return { problem: error instanceof AppError ? `${error.message} ${error.hint ?? ''}`.trim() : 'Invalid schedule.' }
  }
}
