import { useAct, useAnswer } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { timeAgo } from '../../kit/time-words.ts'
import { showToast } from '../../kit/toast-store.ts'
import type { ShownStory } from './story-page.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import css from './story.module.css'

/** Compares two versions of a story, and restores the earlier one. */
export function StoryVersions({ story }: { readonly story: ShownStory }) {
  const { search, setSearch } = useStoriesSearch()
  const to = Math.min(search.version ?? story.newest, story.newest)
  const from = Math.min(search.from ?? Math.max(1, to - 1), story.newest)
  const { slug } = story
  const isOnly = story.newest === 1
  const versions = useAnswer('story_versions', { slug })
  const diff = useAnswer('story_diff', { slug, from, to }, { enabled: !isOnly, keep: true })
  const leave = (): void => setSearch({ view: undefined, version: undefined, from: undefined })
  useKeys([{ keys: 'escape', does: 'Back to the story', group: 'Story', run: leave }])
  const options = (versions.data?.versions ?? [{ version: to, at: story.saved_at, by: story.by, characters: 0 }]).map(
    ({ version, at, by }) => ({
      value: String(version),
      label: `Version ${version}`,
      aside: `${by === 'person' ? 'a person' : 'the analyst'}, ${timeAgo(new Date(at), Date.now())}`,
    }),
  )
  return (
    <article className={css.story} aria-label={`Versions of ${story.title}`}>
      <header className={css.head}>
        <h2 className={css.title}>Versions of {story.title}</h2>
        <div className={css.actions}>
          <RestoreButton story={story} version={from} />
          <Button size="small" icon="arrow-left" onClick={leave}>
            Back to the story
          </Button>
        </div>
      </header>
      {isOnly && <p className={css.note}>Only one version so far. Every change adds one to compare with.</p>}
      {!isOnly && (
        <div className={css.compare}>
          <Select
            label="Before"
            value={String(from)}
            options={options}
            onChange={(value) => setSearch({ from: Number(value), version: to })}
          />
          <Select
            label="After"
            value={String(to)}
            options={options}
            onChange={(value) => setSearch({ from, version: Number(value) })}
          />
        </div>
      )}
      {diff.error !== null && <FaultNote fault={diff.error} again={() => void diff.refetch()} />}
      {diff.data === undefined ? (
        !isOnly && diff.error === null && <Skeleton rows={8} label="Comparing" />
      ) : diff.data.diff === '' ? (
        <p className={css.note}>No differences.</p>
      ) : (
        <TextDiff
          label={`Version ${diff.data.from} → ${diff.data.to}`}
          diff={diff.data.diff}
          names={{ before: `Version ${diff.data.from}`, after: `Version ${diff.data.to}` }}
        />
      )}
    </article>
  )
}

function RestoreButton({ story: { slug, newest }, version }: { readonly story: ShownStory; readonly version: number }) {
  const restore = useAct('story_restore')
  if (version === newest) return null
  return (
    <Button
      size="small"
      icon="undo"
      busy={restore.isPending}
      onClick={() =>
        restore.mutate(
          { slug, version },
          {
            onSuccess: (done) =>
              showToast({
                text: done.changed ? `Version ${version} is now version ${done.version}` : 'No changes',
                ...(done.changed && { undo: () => restore.mutateAsync({ slug, version: newest }) }),
              }),
            onError: (fault) => showToast({ text: fault.message, tone: 'bad' }),
          },
        )
      }
    >
      Restore version {version}
    </Button>
  )
}
