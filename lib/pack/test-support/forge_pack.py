"""Forges a pack in ways that its hashes do not show, and says what the checker says: python3 forge_pack.py pack.pdf

Whoever makes up a pack makes its hashes, too. So each forgery here is consistent but in one thing.
"""
import copy, json, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_pack as pack  # noqa: E402

pdf = pathlib.Path(sys.argv[1]).read_bytes()
whole = pack.attachments(pdf, [])


def split(files):
    """The pack in parts that can be changed."""
    lines = [json.loads(text) for text in files['seal-lines.jsonl'].split(b'\n')[:-1]]
    invoices = [json.loads(text) for text in files['seal-invoices.jsonl'].split(b'\n')[:-1]]
    at = files['lines.csv'].index(b'\r\n') + 2
    parts = {'header': files['lines.csv'][:at], 'rows': [], 'records': [], 'lines': lines, 'invoices': invoices}
    at_record = 0
    for line in lines:
        parts['rows'].append(files['lines.csv'][at:at + line['row'][0]])
        parts['records'].append(files['records.jsonl'][at_record:at_record + line['record'][0]])
        at, at_record = at + line['row'][0], at_record + line['record'][0] + 1
    return {**parts, 'bills': files['invoices.jsonl'], 'manifest': json.loads(files['manifest.json'])}


def judge(parts):
    """The files of these parts, with hashes that fit, and what the checker finds."""
    for line, row, record in zip(parts['lines'], parts['rows'], parts['records']):
        line['row'], line['record'] = [len(row), pack.sha(row)], [len(record), pack.sha(record)]
    write = lambda each: b''.join(json.dumps(one, ensure_ascii=False).encode() + b'\n' for one in each)
    files = {
        'lines.csv': parts['header'] + b''.join(parts['rows']),
        'records.jsonl': b''.join(record + b'\n' for record in parts['records']),
        'invoices.jsonl': parts['bills'],
        'seal-lines.jsonl': write(parts['lines']),
        'seal-invoices.jsonl': write(parts['invoices']),
    }
    manifest = parts['manifest']
    for name, content in files.items():
        manifest['files'][name] = {'size': len(content), 'sha256': pack.sha(content)}
    problems = []
    pack.check_contents(files, manifest, problems)
    return problems


def seal_again(parts, up_to):
    """Makes leaves, invoices' seals and the pack's anew, as far as asked."""
    at, seals = 0, []
    for line in parts['lines']:
        line['leaf'] = pack.seal('line', line['seal'])
    for invoice in parts['invoices']:
        leaves = [line['leaf'] for line in parts['lines'][at:at + invoice['lines']]]
        at += invoice['lines']
        if up_to != 'leaf':
            invoice['hash'] = pack.seal('invoice', [*invoice['seal'], str(len(leaves)), *leaves])
        seals.append(invoice['hash'])
    if up_to == 'pack':
        scope = parts['manifest']['scope']
        parts['manifest']['seal'] = pack.seal('period', [
            scope['kind'], scope['connection'], scope.get('profile'), scope['month'], str(len(seals)), *seals])


def flagged(parts):
    return next(at for at, line in enumerate(parts['lines']) if line['seal'][9] == 'total')


def forge_difference(parts):
    """The file says that a line with a difference has none."""
    at = flagged(parts)
    cells = parts['rows'][at].decode().split(',')
    names = parts['header'].decode().strip().split(',')
    cells[names.index('difference') - len(names)] = '0.00'  # names without commas stand before it, texts may not
    parts['rows'][at] = ','.join(cells).encode()


def forge_record(parts):
    at = flagged(parts)
    wire = json.loads(parts['records'][at])
    parts['records'][at] = json.dumps({**wire, 'total_amount': '1.23'}).encode()


def forge_review(parts):
    """A line that nobody decided is accepted, and its row says so."""
    at = flagged(parts)
    parts['lines'][at]['seal'][13] = 'accepted'
    parts['rows'][at] = parts['rows'][at].replace(b',open,', b',accepted,')


def forge_leaf(parts):
    forge_review(parts)
    seal_again(parts, 'leaf')


def forge_invoice(parts):
    forge_review(parts)
    seal_again(parts, 'invoice')


def forge_nothing_but_all(parts):
    """With every hash made again, only the seal that stands elsewhere tells."""
    forge_review(parts)
    seal_again(parts, 'pack')


def forge_sum(parts):
    total = next(iter(parts['manifest']['totals'].values()))
    total['lines']['amount'] = str(pack.Decimal(total['lines']['amount']) + 1)


def forge_tie_out(parts):
    tie_out = parts['invoices'][0]['tie_out']
    tie_out['not_imported'] = str(pack.Decimal(tie_out['not_imported']) + 1)
    tie_out['comes_to'] = str(pack.Decimal(tie_out['comes_to']) + 1)


def forge_stray(parts):
    """A line that could not be imported states less than the platform sent."""
    stray = next(each for invoice in parts['invoices'] for each in invoice['not_imported'])
    stray['record'] = json.dumps({**pack.read_record(stray['record']), 'total_amount': '0.01'})


def forge_loss(parts):
    """A line is left out everywhere."""
    at = flagged(parts)
    for name in ('lines', 'rows', 'records'):
        del parts[name][at]
    before = 0
    for invoice in parts['invoices']:
        before += invoice['lines']
        if at < before:
            invoice['lines'] -= 1
            break


def forge_bill(parts):
    """An invoice states another total than the platform sent."""
    invoice = parts['invoices'][0]
    bill = parts['bills'][:invoice['record'][0]]
    other = json.dumps({**json.loads(bill), 'reference': 'other'}).encode()
    parts['bills'] = other + parts['bills'][len(bill):]
    invoice['record'] = [len(other), pack.sha(other)]


print(json.dumps({'whole': judge(split(whole)), **{
    name[len('forge_'):]: (lambda parts: (forge(parts), judge(parts))[1])(split(copy.deepcopy(whole)))
    for name, forge in list(globals().items()) if name.startswith('forge_')}}))
