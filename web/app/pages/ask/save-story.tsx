import { useAct } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { PlaceLink } from '../../kit/place-link.tsx'
import { showToast } from '../../kit/toast-store.ts'
import css from './save-story.module.css'

/** Saves the answer as a story: its text, its charts, and the rows behind them. */
export const SaveStory = ({ message, stories }: { message: string; stories: readonly string[] }) => {
  const save = useAct('story_from_answer')
  const archive = useAct('story_archive')
  const made = save.data?.slug
  const all = made === undefined ? stories : [...stories, made]
  const keep = () =>
    save.mutate(
      { message },
      {
        onSuccess: ({ slug, title }) =>
          showToast({ text: `Saved as the story “${title}”.`, undo: () => archive.mutateAsync({ slug }) }),
        onError: (fault) => showToast({ text: fault.message, tone: 'bad' }),
      },
    )
  return (
    <>
      {all.map((slug) => (
        <PlaceLink key={slug} to={`stories/${encodeURIComponent(slug)}`} className={css.story ?? ''}>
          Story {slug}
        </PlaceLink>
      ))}
      {made === undefined && (
        <Button size="small" look="quiet" icon="stories" busy={save.isPending} onClick={keep}>
          Save as story
        </Button>
      )}
    </>
  )
}
