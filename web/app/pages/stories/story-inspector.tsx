import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { layOutStory } from '../../../../src/analyst/domain/story/lay-out-story.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Facts } from '../../frame/inspector/facts.tsx'
import { InInspector } from '../../frame/inspector/in-inspector.tsx'
import { tablesRead } from '../../kit/data/tables-read.ts'
import { TimeAgo } from '../../kit/time-ago.tsx'
import type { ShownStory } from './story-page.tsx'
import { madeIn } from './story-params.tsx'
import { oldestOf } from './story-times.ts'
import { useStoriesSearch } from './use-stories-search.ts'
import css from './story.module.css'

/** Origin of a story: its queries, its versions, its refreshes. */
export function StoryInspector({ story }: { readonly story: ShownStory }) {
  const project = useProject()
  const oldest = oldestOf(story.data)
  const { moved } = useMemo(() => layOutStory(story.text, new Map(story.data.map((one) => [one.query, one]))), [story])
  const made = useMemo(() => madeIn(story), [story])
  return (
    <>
      <InInspector title="Story">
        <Facts
          facts={[
            ['Name', <code key="slug">{story.slug}</code>],
            ['Changed', <TimeAgo key="at" at={story.updated_at} />],
            ['Data from', oldest && <TimeAgo key="data" at={oldest} />],
            ['Refreshed', story.last_refresh && <Refreshed key="done" story={story} />],
            ...made.map(({ name, says }): [string, string] => [name, says === '' ? 'all' : says]),
            ['Schedule', story.schedule?.says],
            ['Time zone', story.schedule?.timezone],
            [
              'From',
              story.chat === undefined ? undefined : (
                <Link key="chat" to="/$project/ask/$chat" params={{ project, chat: story.chat }}>
                  the chat it came from
                </Link>
              ),
            ],
          ]}
        />
      </InInspector>
      {moved.length > 0 && (
        <InInspector title="Changed by the last refresh">
          <ul className={css.inspected}>
            {moved.map(({ place, was, now }) => (
              <li key={`${place} ${now}`}>
                <span>
                  {was} → {now}
                </span>
                <span className={css.note}>{place}</span>
              </li>
            ))}
          </ul>
        </InInspector>
      )}
      <InInspector title="Queries">
        {story.data.length === 0 ? (
          <p className={css.note}>No queries.</p>
        ) : (
          <ul className={css.inspected}>
            {story.data.map(({ query, database, sql, rows }) => (
              <li key={query}>
                <code>{query}</code>
                <span className={css.note}>
                  {[database, ...tablesRead(sql), `${rows.length.toLocaleString('en-US')} rows`].join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </InInspector>
      {story.owner === undefined && (
        <InInspector title="Versions">
          <Versions slug={story.slug} />
        </InInspector>
      )}
    </>
  )
}

const Refreshed = ({ story: { last_refresh } }: { readonly story: ShownStory }) => (
  <>
    <TimeAgo at={last_refresh!.at} />
    {last_refresh!.ok ? '' : ', failed'}
  </>
)

const MOST = 8

function Versions({ slug }: { readonly slug: string }) {
  const { setSearch } = useStoriesSearch()
  const { data } = useAnswer('story_versions', { slug })
  const versions = data?.versions ?? []
  return (
    <ul className={css.inspected}>
      {versions.slice(0, MOST).map(({ version, at, by }) => (
        <li key={version}>
          <button
            type="button"
            className={css.asLink}
            onClick={() => setSearch({ view: undefined, from: undefined, version })}
          >
            Version {version}
          </button>
          <span className={css.note}>
            {by === 'person' ? 'a person' : 'the analyst'} · <TimeAgo at={at} />
          </span>
        </li>
      ))}
      {versions.length > MOST && (
        <li>
          <button type="button" className={css.asLink} onClick={() => setSearch({ view: 'versions' })}>
            All {versions.length}
          </button>
        </li>
      )}
    </ul>
  )
}
