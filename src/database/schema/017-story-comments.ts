import { OWN_PERSON, OWN_PROJECT } from '../own-rows.ts'
import { TENANT_ROLE } from '../scoped.ts'

const STORY = `FROM ken.stories AS s WHERE s.id = story_comments.story AND s.project = story_comments.project
  AND s.person = story_comments.owner`

/**
 * Comments on stories: owned by their writer, who must be able to read the story, and read by its owner, and by its
 * readers if the thread began since `comments_since`. Rows are only added and deleted.
 */
export const storyComments = {
  name: 'story comments',
  statements: (): readonly string[] => [
    // Null: readers see only their own. Stories that are shared already have no earlier comments.
    'ALTER TABLE ken.stories ADD COLUMN comments_since timestamptz',
    "UPDATE ken.stories SET comments_since = now() WHERE visibility <> 'private'",
    // `owner`: of the story. `anchor`: JSON as text.
    `CREATE TABLE ken.story_comments (
       place bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL, project text NOT NULL, person text NOT NULL,
       story text NOT NULL, owner text NOT NULL, thread text NOT NULL, begun_at timestamptz NOT NULL,
       at timestamptz NOT NULL, kind text NOT NULL CHECK (kind IN ('written', 'resolved', 'reopened')),
       by_agent boolean NOT NULL, text text NOT NULL, anchor text, PRIMARY KEY (id, project, person),
       FOREIGN KEY (story, project, owner) REFERENCES ken.stories (id, project, person) ON DELETE CASCADE)`,
    'CREATE INDEX comments_of_story ON ken.story_comments (story, project, owner, place)',
    'ALTER TABLE ken.story_comments ENABLE ROW LEVEL SECURITY',
    `CREATE POLICY own_rows ON ken.story_comments USING (project = ${OWN_PROJECT} AND person = ${OWN_PERSON})
       WITH CHECK (project = ${OWN_PROJECT} AND person = ${OWN_PERSON} AND EXISTS (SELECT ${STORY}))`,
    `CREATE POLICY shared_rows ON ken.story_comments FOR SELECT USING (project = ${OWN_PROJECT} AND EXISTS (
       SELECT ${STORY} AND (s.person = ${OWN_PERSON} OR story_comments.begun_at >= s.comments_since)))`,
    `GRANT SELECT, INSERT, DELETE ON ken.story_comments TO ${TENANT_ROLE}`,
  ],
}
