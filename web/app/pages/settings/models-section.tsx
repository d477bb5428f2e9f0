import { EmbeddingModels } from './embedding-models.tsx'
import { ModelInUse } from './model-in-use.tsx'
import { ProviderKeys } from './provider-keys.tsx'

/** The answering model, its keys, and the embedder. */
export const ModelsSection = () => (
  <>
    <ModelInUse />
    <ProviderKeys />
    <EmbeddingModels />
  </>
)
