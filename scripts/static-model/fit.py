"""Fits the static model: one vector per word such that the sum over a text points where a sentence transformer would.

    python fit.py --work WORK --teacher gte-small [--teacher all-MiniLM-L6-v2] --out model.bin

WORK holds passages.txt.gz (gather.py), <teacher>.npz (teacher.py) and tokenizer.json. README.md explains the steps.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
import struct
import time
import unicodedata
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from teacher import Teacher

DIMENSIONS = 256
HELD_OUT = 20_000


def main():
    options = parse_options()
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    texts = read_texts(options.work, options.passages, options.sentences)
    say(f"{len(texts)} texts on {device}")
    pieces = word_pieces(options.work / "tokenizer.json")
    vocabulary = choose_vocabulary(texts, pieces, options.rows)
    say(f"{len(vocabulary)} rows, {sum(entry[0] == ' ' for entry in vocabulary)} of them whole words beyond the teacher's vocabulary")
    bags = Bags(*tokenise_all(texts, vocabulary), device)
    say(f"{bags.ids.numel()} tokens")
    words = [entry.removeprefix("##").strip() for entry in vocabulary]
    read = [read_by_teacher(name, words + texts, options.work, device) for name in options.teacher]
    vectors = torch.tensor(np.concatenate(read, 1), device=device)
    table, target = ridge_fit(bags, vectors[: len(words)], vectors[len(words) :], device)
    say(f"ridge: {held_out_figures(table, bags, target)}")
    if options.steps:
        table = train(table, bags, target, options)
    write_model(options.out, vocabulary, table.cpu().numpy(), options)
    say(f"wrote {options.out}")


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teacher", action="append", required=True)
    parser.add_argument("--id", default="static-256-1")
    parser.add_argument("--rows", type=int, default=49_800)
    parser.add_argument("--passages", type=int, default=10_000_000, help="use at most this many passages")
    parser.add_argument("--sentences", type=int, default=1, help="short extracts beside every passage")
    parser.add_argument("--steps", type=int, default=8000, help="gradient steps after the ridge fit; 0: ridge alone")
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--neighbours", type=float, default=1.0, help="weight of the loss that keeps neighbours in order")
    parser.add_argument("--heat", type=float, default=0.05, help="how far neighbours reach in that loss: smaller looks at nearer ones only")
    parser.add_argument("--keep", type=float, default=0.85, help="share of the words of a text seen in one step")
    parser.add_argument("--calibration", type=float, nargs=3, default=(0.75, 0.3, 0.75), metavar=("BETA", "NOISE", "STRONG"))
    return parser.parse_args()


def say(text, start=time.time()):
    print(f"{time.time() - start:7.1f} s  {text}", flush=True)


def read_texts(work, limit, sentences):
    """Passages, and from longer ones a sentence or a few words as somebody would type them into a search."""
    chance, texts = random.Random(2), []
    with gzip.open(work / "passages.txt.gz", "rt", encoding="utf-8") as lines:
        passages = [line.rstrip("\n").split("\t", 1) for line in whole_lines(lines)]
    chance.shuffle(passages)
    for kind, text in passages[:limit]:
        texts.append(text)
        words = text.split(" ")
        if kind == "title" or len(words) < 12:
            continue
        for _ in range(sentences):
            parts = [part for part in re.split(r"(?<=[.!?;:]) +", text) if 3 <= part.count(" ") < 40]
            if len(parts) > 1 and chance.random() < 0.6:
                texts.append(chance.choice(parts))
            else:
                size = chance.randint(3, 11)
                at = chance.randrange(len(words) - size + 1)
                texts.append(" ".join(words[at : at + size]))
    chance.shuffle(texts)
    return texts


def whole_lines(lines):
    try:
        yield from lines
    except EOFError:
        return


def word_pieces(path):
    """The teacher's vocabulary without punctuation and other scripts."""
    vocabulary = json.loads(Path(path).read_text())["model"]["vocab"]
    return [piece for piece in vocabulary if re.fullmatch(r"(##)?[a-z0-9]+", piece)]


HAN = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"(?:(?![{HAN}])[^\W_])+|[{HAN}]")
NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words_of(text):
    """The same words as src/retrieval/embed/static/words.ts gives."""
    if not text.isascii():
        text = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter) != "Mn")
    return WORD.findall(text)


def choose_vocabulary(texts, pieces, rows):
    counts = Counter()
    with get_context("fork").Pool() as pool:
        for part in pool.imap_unordered(count_words, [texts[i : i + 20_000] for i in range(0, len(texts), 20_000)]):
            counts.update(part)
    known = set(pieces)
    extra = [word for word in counts if counts[word] >= 8 and word not in known and re.fullmatch(r"(?=.*[a-z])[a-z0-9]{2,24}", word)]
    extra.sort(key=lambda word: (-counts[word], word))
    return sorted([*pieces, *(f" {word}" for word in extra[: rows - len(pieces)])], key=str.encode)


def count_words(texts):
    return Counter(word.lower() for text in texts for word in words_of(text))


class Reader:
    """Turns words into rows: whole words first, then the parts of a name, then word pieces."""

    def __init__(self, vocabulary):
        self.row = {entry: row for row, entry in enumerate(vocabulary)}
        self.known = {}

    def rows(self, text):
        found = []
        for word in words_of(text):
            rows = self.known.get(word)
            if rows is None:
                rows = self.known[word] = self.resolve(word)
            found += rows
        return found

    def resolve(self, surface):
        whole = self.whole(surface.lower())
        if whole is not None:
            return [whole]
        parts = [part.lower() for part in NAME_PART.findall(surface)]
        if len(parts) < 2:
            return self.cut(surface.lower())
        return [row for part in parts for row in ([self.whole(part)] if self.whole(part) is not None else self.cut(part))]

    def whole(self, word):
        return self.row.get(word, self.row.get(f" {word}"))

    def cut(self, word):
        rows, start = [], 0
        while start < len(word) <= 100:
            for end in range(len(word), start, -1):
                row = self.row.get(("##" if start else "") + word[start:end])
                if row is not None:
                    break
            else:
                return []
            rows.append(row)
            start = end
        return rows


def tokenise_all(texts, vocabulary):
    blocks = [texts[i : i + 20_000] for i in range(0, len(texts), 20_000)]
    with get_context("fork").Pool(initializer=start_reader, initargs=(vocabulary,)) as pool:
        parts = pool.map(read_block, blocks)
    return np.concatenate([ids for ids, _ in parts]), np.concatenate([lengths for _, lengths in parts])


def start_reader(vocabulary):
    global reader
    reader = Reader(vocabulary)


def read_block(texts):
    rows = [reader.rows(text) for text in texts]
    return np.array([row for part in rows for row in part], np.int32), np.array([len(part) for part in rows], np.int64)


def read_by_teacher(name, texts, work, device):
    """Kept in WORK under a mark of the texts, since reading takes nearly all the time."""
    mark = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]
    kept = work / f"read-{name}-{mark}.npy"
    if not kept.exists():
        teacher = Teacher(work / f"{name}.npz", work / "tokenizer.json", device)
        np.save(kept, teacher.embed(texts))
        say(f"{name} has read everything")
    return np.load(kept)


class Bags:
    """The rows of every text, one after the other. The last texts are held out."""

    def __init__(self, ids, lengths, device):
        self.ids = torch.tensor(ids, device=device)
        self.lengths = torch.tensor(lengths, device=device)
        self.starts = F.pad(self.lengths.cumsum(0), (1, 0))[:-1]
        self.train = torch.nonzero(self.lengths[:-HELD_OUT] > 0).flatten()
        self.held_out = torch.arange(len(lengths) - HELD_OUT, len(lengths), device=device)
        self.held_out = self.held_out[self.lengths[self.held_out] > 0]

    def sum(self, table, chosen, keep=1.0):
        lengths = self.lengths[chosen]
        offsets = F.pad(lengths.cumsum(0), (1, 0))[:-1]
        at = torch.arange(int(lengths.sum()), device=self.ids.device) + torch.repeat_interleave(self.starts[chosen] - offsets, lengths)
        weights = None
        if keep < 1:
            # Left-out and unevenly weighted words, as in queries that are weighed by how rare their words are.
            weights = (torch.rand(len(at), device=at.device) < keep) * torch.exp(0.4 * torch.randn(len(at), device=at.device))
        return F.embedding_bag(self.ids[at].long(), table, offsets, mode="sum", per_sample_weights=weights)


def ridge_fit(bags, alone, taught, device, strength=1e-3):
    """Words weighed by how rare they are, mapped linearly to the main directions of the teachers' sentence space."""
    sample = bags.train[torch.randperm(len(bags.train), device=device)[:400_000]]
    mean = taught[sample].float().mean(0)
    _, directions = torch.linalg.eigh(torch.cov((taught[sample].float() - mean).T))
    directions = directions[:, -DIMENSIONS:].flip(1)
    target = torch.cat([F.normalize((part.float() - mean) @ directions, dim=1).half() for part in taught.split(100_000)])
    rate = torch.bincount(bags.ids.long(), minlength=len(alone)).float() + 1
    rate = torch.maximum(rate / rate.sum(), 0.3 * zipf(rate))
    words = (alone.float() - alone.float().mean(0)) * (1e-3 / (1e-3 + rate))[:, None]
    x = torch.cat([F.normalize(bags.sum(words, part), dim=1) for part in sample.split(20_000)])
    y = target[sample].float()
    square = x.T @ x + strength * len(x) / x.shape[1] * torch.eye(x.shape[1], device=device)
    table = words @ torch.linalg.solve(square, x.T @ y)
    return table / table.norm(dim=1).mean(), target


def zipf(rate):
    share = torch.empty_like(rate)
    share[rate.argsort(descending=True)] = 1 / torch.arange(1, len(rate) + 1, device=rate.device)
    return share / share.sum()


def train(table, bags, target, options):
    table = table.clone().requires_grad_(True)
    adam = torch.optim.Adam([table], lr=options.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, options.steps)
    for step in range(1, options.steps + 1):
        chosen = bags.train[torch.randint(len(bags.train), (options.batch,), device=table.device)]
        student = F.normalize(bags.sum(table, chosen, keep=options.keep), dim=1)
        loss = distance(student, target[chosen].float(), options)
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
        if step % max(1, options.steps // 8) == 0:
            say(f"step {step}: {held_out_figures(table.detach(), bags, target)}")
    return table.detach()


def distance(student, teacher, options):
    """How far the vectors are off, and how far the order of neighbours inside the batch is off."""
    apart = (1 - (student * teacher).sum(1)).mean()
    if not options.neighbours:
        return apart
    never = torch.eye(len(student), device=student.device) * 1e4
    wanted = F.softmax(teacher @ teacher.T / options.heat - never, dim=1)
    given = F.log_softmax(student @ student.T / options.heat - never, dim=1)
    return apart + options.neighbours * F.kl_div(given, wanted, reduction="batchmean")


def held_out_figures(table, bags, target):
    student = F.normalize(bags.sum(table, bags.held_out), dim=1)
    teacher = target[bags.held_out].float()
    near = (teacher[:4000] @ teacher.T).fill_diagonal_(-1).topk(10).indices
    mine = (student[:4000] @ student.T).fill_diagonal_(-1).topk(10).indices
    shared = (near[:, :, None] == mine[:, None, :]).any(2).float().mean()
    return f"held-out cosine {(student * teacher).sum(1).mean():.4f}, neighbours in common {shared:.4f}"


def write_model(path, vocabulary, table, options):
    entries = [entry.encode() for entry in vocabulary]
    assert entries == sorted(entries) and len(entries) == len(table)
    scale = np.maximum(np.abs(table).max(1), 1e-12) / 127
    rows = np.round(table / scale[:, None]).astype(np.int8)
    blob = b"".join(entries)
    header = struct.pack("<8s3I3f32s", b"KENVEC01", DIMENSIONS, len(entries), len(blob), *options.calibration, options.id.encode())
    ends = np.cumsum([len(entry) for entry in entries]).astype("<u4")
    path.write_bytes(header + ends.tobytes() + blob + scale.astype("<f4").tobytes() + rows.tobytes())


if __name__ == "__main__":
    main()
