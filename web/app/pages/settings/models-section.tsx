import { EmbeddingShelf } from './embedding-shelf.tsx'
import { ModelInUse } from './model-in-use.tsx'
import { ProviderKeys } from './provider-keys.tsx'

/** Who answers, with which keys, and what turns text into vectors. */
export const ModelsSection = () => (
  <>
    <ModelInUse />
    <ProviderKeys />
    <EmbeddingShelf />
  </>
)
