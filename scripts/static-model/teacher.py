"""A BERT sentence encoder (MiniLM, gte-small) read from the ONNX file of its authors' export and run in torch, on CPU or GPU."""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

HEADS = 12
MAX_TOKENS = 160


def pack(onnx_path, out):
    """Keeps the weights of an ONNX file as 16-bit floats under BERT's own names, word vectors as bytes with one scale per row."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(onnx_path)).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: value for name, value in values.items() if name.startswith(("embeddings.", "encoder.")) and value.dtype == np.float32}
    # The exporter drops the names of transposed matrices; the bias that is added next still has one.
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul" and node.input[1] in values}
    for node in graph.node:
        if node.op_type == "Add":
            bias, product = sorted(node.input, key=lambda name: name in products)
            if product in products and bias in weights:
                weights[bias.replace(".bias", ".weight")] = values[products[product]].T
    words = weights.pop("embeddings.word_embeddings.weight")
    scale = np.abs(words).max(1, keepdims=True) / 127
    packed = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez(out, words=np.round(words / scale).astype(np.int8), scale=scale.astype(np.float32), **packed)


class Teacher:
    def __init__(self, packed, tokenizer, device):
        data = np.load(packed)
        self.kind = torch.float16 if device == "cuda" else torch.float32
        self.w = {name: torch.tensor(data[name]).to(device, self.kind) for name in data.files if name not in ("words", "scale")}
        self.words = torch.tensor(data["words"].astype(np.float32) * data["scale"]).to(device, self.kind)
        self.layers = 1 + max(int(name.split(".")[2]) for name in self.w if name.startswith("encoder."))
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.device = device

    @torch.inference_mode()
    def embed(self, texts):
        """Unit vectors, mean of the last layer; texts of like length share a batch."""
        tokens_a_batch = 1 << 18 if self.device == "cuda" else 1 << 13
        out = np.zeros((len(texts), 384), np.float16)
        for begin in range(0, len(texts), 200_000):
            ids = [e.ids for e in self.tokenizer.encode_batch(texts[begin : begin + 200_000])]
            order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
            at = 0
            while at < len(order):
                end = at + 1
                while end < len(order) and (end - at + 1) * len(ids[order[end]]) <= tokens_a_batch:
                    end += 1
                chosen = order[at:end]
                out[[begin + i for i in chosen]] = self.forward([ids[i] for i in chosen]).float().cpu().numpy()
                at = end
        return out

    def forward(self, rows):
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows], device=self.device)
        mask = torch.arange(width, device=self.device)[None] < torch.tensor([len(r) for r in rows], device=self.device)[:, None]
        x = self.words[ids] + self.w["embeddings.position_embeddings.weight"][:width] + self.w["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(self.layers):
            x = self.layer(x, mask[:, None, None], f"encoder.layer.{layer}.")
        x = x.float() * mask[..., None]
        return F.normalize(x.sum(1) / mask.sum(1, keepdim=True), dim=1)

    def layer(self, x, mask, name):
        n, width, size = x.shape
        q, k, v = (
            self.linear(x, f"{name}attention.self.{part}").view(n, width, HEADS, size // HEADS).transpose(1, 2) for part in ("query", "key", "value")
        )
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(n, width, size)
        x = self.norm(x + self.linear(seen, f"{name}attention.output.dense"), f"{name}attention.output.LayerNorm")
        wide = F.gelu(self.linear(x, f"{name}intermediate.dense"))
        return self.norm(x + self.linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm")

    def linear(self, x, name):
        return F.linear(x, self.w[f"{name}.weight"], self.w[f"{name}.bias"])

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.w[f"{name}.weight"], self.w[f"{name}.bias"], 1e-12)


if __name__ == "__main__":
    import sys

    pack(Path(sys.argv[1]), Path(sys.argv[2]))
