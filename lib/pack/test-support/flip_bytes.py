"""Flips bytes of a pack, one at a time, and says of each what the checker said: python3 flip_bytes.py pack.pdf count seed"""
import json, pathlib, random, re, sys, zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_pack  # noqa: E402

IN_LINES = {'lines.csv', 'records.jsonl', 'seal-lines.jsonl'}
pdf = pathlib.Path(sys.argv[1]).read_bytes()
problems, checked = check_pack.check(pdf)
assert not problems, problems
whole = check_pack.attachments(pdf, [])
entries = [json.loads(text) for text in whole['seal-lines.jsonl'].split(b'\n')[:-1]]
lengths = {
    'lines.csv': [entry['row'][0] for entry in entries],
    'records.jsonl': [entry['record'][0] + 1 for entry in entries],
    'seal-lines.jsonl': [len(text) + 1 for text in whole['seal-lines.jsonl'].split(b'\n')[:-1]],
}


def line_at(name, position):
    """The line whose bytes stand there; None in the header of the file, or behind its end."""
    at = len(whole[name]) - sum(lengths[name])
    if position < at:
        return None
    for entry, length in zip(entries, lengths[name]):
        at += length
        if position < at:
            return entry['seal'][0]
    return None


def read_far(packed):
    """As far as it can be read, byte by byte, with a reader of its own."""
    reader, out = zlib.decompressobj(), b''
    try:
        for at in range(len(packed)):
            out += reader.decompress(packed[at:at + 1])
    except zlib.error:
        pass
    return out


places = []
for name in IN_LINES:
    packed = zlib.compress(whole[name])
    for match in re.finditer(rb'/Length (\d+)\n.{0,400}?stream\n', pdf, re.S):
        body = pdf[match.end():match.end() + int(match[1])]
        try:
            if zlib.decompress(body) == whole[name]:
                places.append((name, match.end(), match.end() + int(match[1])))
        except zlib.error:
            pass
assert len(places) == len(IN_LINES), places
chance = random.Random(int(sys.argv[3]))
result = {'flips': 0, 'missed': [], 'inLines': 0, 'unnamed': []}
for turn in range(int(sys.argv[2])):
    # every other one among the lines, which in a small pack are the lesser part of the file
    name, start, end = chance.choice(places) if turn % 2 else ('', 0, len(pdf))
    at, mask = chance.randrange(start, end), chance.randrange(1, 256)
    damaged = pdf[:at] + bytes([pdf[at] ^ mask]) + pdf[at + 1:]
    found, _ = check_pack.check(damaged)
    result['flips'] += 1
    if not found:
        result['missed'].append([at, mask])
    for name, start, end in places:
        if not start <= at < end:
            continue
        now = read_far(damaged[start:end])
        differs = next((each for each, (a, b) in enumerate(zip(now, whole[name])) if a != b), min(len(now), len(whole[name])))
        named = line_at(name, differs)
        if named is None:
            continue
        result['inLines'] += 1
        first = next((text for text in found if text.startswith('line ')), '')
        if not first.startswith(f'line {named} '):
            result['unnamed'].append([at, mask, name, named, found[:3]])
print(json.dumps(result))
