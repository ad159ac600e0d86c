#!/usr/bin/env python3
"""Checks an evidence pack of Tieout without Tieout: python3 check_pack.py pack.pdf

Python 3.9 or later, its standard library, and nothing else. It takes the attachments out of the PDF, makes every hash and
every sum again, proves each line in exact decimals, and makes the seal of what was signed from the lines up. It exits with 0
and says what it checked, or with 1 and names each file, invoice or line that differs, the first one first.
"""
import contextlib, csv, hashlib, io, itertools, json, re, sys, zlib
from decimal import Context, Decimal, ROUND_HALF_UP, setcontext

setcontext(Context(prec=2000, rounding=ROUND_HALF_UP))  # no step needs more digits than that: all are exact
OWN = re.compile(rb'tieout-sha256:([0-9a-f]{64})')
# places of a line's fields in the seal: those of its record as received, and all those that lines.csv has
FIGURES = {2: 'quantity', 3: 'unit_price', 4: 'non_taxable_unit_price', 5: 'tax_percentage', 7: 'tax_amount', 8: 'total_amount'}
COLUMNS = {**FIGURES, 0: 'id', 1: 'currency', 6: 'tax_regime', 9: 'finding_codes', 10: 'explained_codes', 12: 'found_beside',
           13: 'review', 14: 'decision'}


class Num(str):
    """A number of JSON as it is written: a float would lose digits."""


read_record = json.JSONDecoder(parse_float=Num, parse_int=Num).decode
sha = lambda data: hashlib.sha256(data).hexdigest()
round_to = lambda value, digits: value.quantize(Decimal(1).scaleb(-digits))


def seal(kind, fields):
    """SHA-256 of the fields, each as its length in bytes and its text, null as a dash: no two lists are written alike."""
    texts = ['-' if each is None else f'{len(each.encode())}:{each}' for each in (f'tieout-seal-1 {kind}', *fields)]
    return sha(','.join(texts).encode())


def canonical(value):
    """A record without white space, its keys in order, numbers as written: what its content hash is of."""
    if isinstance(value, Num):
        return str(value)
    if isinstance(value, list):
        return '[' + ','.join(map(canonical, value)) + ']'
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be', 'surrogatepass'))
        return '{' + ','.join(f'{canonical(key)}:{canonical(value[key])}' for key in keys) + '}'
    return json.dumps(value, ensure_ascii=False)


def inflate(packed):
    """All that can be read, and whether that is all: a damaged byte must not hide what stands before it."""
    try:
        return zlib.decompress(packed), True
    except zlib.error:
        stream, out = zlib.decompressobj(), []
    with contextlib.suppress(zlib.error):
        for at in range(len(packed)):
            out.append(stream.decompress(packed[at:at + 1]))
    return b''.join(out), False


def attachments(pdf, problems):
    """The embedded files by name. Objects are found by the cross-reference table at the end (ISO 32000-1, 7.5.4)."""
    start = int(re.findall(rb'startxref\s+(\d+)', pdf)[-1])
    offsets, files = [int(entry) for entry in re.findall(rb'(\d{10}) \d{5} [nf]', pdf[start:])], {}
    for offset in offsets[1:]:
        spec = re.match(rb'\d+ 0 obj\s*<<\s*/Type /Filespec\s*/F \(([^)]*)\).*?/EF <<\s*/F (\d+) 0 R', pdf[offset:offset + 600], re.S)
        if spec:
            name, at = spec[1].decode('latin-1'), offsets[int(spec[2])]
            head = re.match(rb'\d+ 0 obj\s*<<\s*/Length (\d+)(.*?)>>\s*stream\r?\n', pdf[at:at + 600], re.S)
            body = pdf[at + head.end():at + head.end() + int(head[1])] if head else b''
            files[name], is_whole = inflate(body) if head and b'/FlateDecode' in head[2] else (body, True)
            if not is_whole:
                problems.append(f'{name}: damaged in the PDF; what follows was read up to its byte {len(files[name])}')
    return files


def check_line(entry, row, record, digits, add):
    """One line: its leaf of the seal, its row in lines.csv, its record, and its proof. Returns its total."""
    fields = entry['seal']
    if seal('line', fields) != entry['leaf']:
        add('its fields do not make its leaf of the seal')
    for place, column in COLUMNS.items():
        sealed, cell = fields[place] or '', row[column]  # an apostrophe guards spreadsheets from formulas
        if not (Decimal(cell) == Decimal(sealed) if place in FIGURES else cell in (sealed, "'" + sealed)):
            add(f'{column} is {cell!r} in lines.csv and {sealed!r} in the seal')
    if (row['is_gone'] == 'true') != (fields[11] == 'gone'):
        add('whether the platform has it differs between lines.csv and the seal')
    wire = read_record(record.decode())
    for place, name in FIGURES.items():
        if Decimal(str(wire[name])) != Decimal(fields[place]):
            add(f'{name} is {wire[name]} in its record as received and {fields[place]} in the seal')
    quantity, unit, other, rate, tax, total = (Decimal(row[column]) for column in FIGURES.values())
    minor = digits[row['currency']]
    expected = round_to(quantity * (unit + other) + tax, max(len(row['total_amount'].partition('.')[2]), minor))
    if (expected, total - expected) != (Decimal(row['expected_total_amount']), Decimal(row['difference'])):
        add(f'its total should be {expected} and is {total}; lines.csv says a difference of {row["difference"]}')
    expected = round_to(quantity * unit * rate / 100, minor)
    if (expected, tax - expected) != (Decimal(row['expected_tax_amount']), Decimal(row['tax_difference'])):
        add(f'its tax should be {expected} and is {tax}; lines.csv says a difference of {row["tax_difference"]}')
    return total


def check_invoice(entry, record, held, leaves, add):
    """One invoice: its seal over its lines, its record, and that it ties out as the pack says. Returns its total."""
    if seal('invoice', [*entry['seal'], str(len(leaves)), *leaves]) != entry['hash']:
        add('its fields and lines do not make its seal')
    if sha(record) != entry['record'][1]:
        add('its record in invoices.jsonl differs')
    wire = read_record(record.decode())
    wire.pop('pdf', None)  # an address that changes with every answer is no part of the content
    if sha(canonical(wire).encode('utf-8', 'surrogatepass')) != entry['content_hash']:
        add('its record as received is not what its content hash is of')
    says = {name: Decimal(amount) for name, amount in entry['tie_out'].items()}
    aside = sum(Decimal(str(read_record(each['record'])['total_amount'])) for each in entry['not_imported']
                if each['currency'] == entry['seal'][6])  # what was not imported counts as its records state
    comes_to = held + aside - says['credit_used']
    total = Decimal(entry['seal'][7])
    for name, amount in (('lines', held), ('not_imported', aside), ('comes_to', comes_to), ('total', total), ('difference', total - comes_to)):
        if says[name] != amount:
            add(f'its {name.replace("_", " ")} is {amount}; the pack says {says[name]}')
    if Decimal(str(wire['total'])) != total or wire['currency'] != entry['seal'][6]:
        add('its total differs between its record as received and the seal')
    return total


def check_contents(files, manifest, problems):
    rows, records, bills = (files.get(name, b'') for name in ('lines.csv', 'records.jsonl', 'invoices.jsonl'))  # empty: not there
    at_row = rows.index(b'\r\n') + 2
    names, entries = next(csv.reader([rows[:at_row].decode()])), files.get('seal-lines.jsonl', b'').split(b'\n')
    is_whole = sha(rows) == manifest['files']['lines.csv']['sha256']  # then it names lines whose seal cannot be read
    ids = [row[0] for row in csv.reader(io.StringIO(rows[at_row:].decode(), newline=''))] if is_whole else []
    at_record, at_bill, number, seals, sums = 0, 0, 0, [], {}

    def count(code, kind, amount):
        sum_of = sums.setdefault(code, {'lines': (0, Decimal(0)), 'invoices': (0, Decimal(0))})
        sum_of[kind] = sum_of[kind][0] + 1, sum_of[kind][1] + amount

    for text in files['seal-invoices.jsonl'].split(b'\n')[:-1]:
        invoice = json.loads(text)
        serial, currency, leaves, held = invoice['seal'][1], invoice['seal'][6], [], Decimal(0)
        for _ in range(invoice['lines']):
            number += 1
            add = lambda what: problems.append(f'line {ids[number - 1] if ids else entry["seal"][0]} of invoice {serial}: {what}')
            try:
                entry = json.loads(entries[number - 1])
                row, record = rows[at_row:at_row + entry['row'][0]], records[at_record:at_record + entry['record'][0]]
                at_row, at_record = at_row + len(row), at_record + len(record) + 1
                leaves.append(entry['leaf'])
                if sha(row) != entry['row'][1]:
                    add('its row in lines.csv differs')
                if sha(record) != entry['record'][1] or records[at_record - 1:at_record] != b'\n':
                    add('its record in records.jsonl differs')
                cells = dict(zip(names, next(csv.reader(io.StringIO(row.decode(), newline='')))))
                total = check_line(entry, cells, record, manifest['digits'], add)
                if entry['seal'][11] == 'held':
                    count(entry['seal'][1], 'lines', total)
                    held += total if entry['seal'][1] == currency else 0
            except Exception as trouble:  # of what is damaged everything may be wrong
                add(f'cannot be read, line {number} of the files ({trouble})')
        bill = bills[at_bill:at_bill + invoice['record'][0]]
        at_bill += len(bill) + 1
        total = check_invoice(invoice, bill, held, leaves, lambda what: problems.append(f'invoice {serial}: {what}'))
        if invoice['seal'][11] == 'held':
            count(currency, 'invoices', total)
        seals.append(invoice['hash'])
    scope = manifest['scope']
    made = seals[0] if scope['kind'] == 'invoice' else seal('period', [
        scope['kind'], scope['connection'], scope.get('profile'), scope['month'], str(len(seals)), *seals])
    if made != manifest['seal'] or at_row != len(rows) or at_record != len(records) or at_bill != len(bills):
        problems.append('the pack: its invoices and lines do not make its seal')
    for code, kind in itertools.product({*sums, *manifest['totals']}, ('lines', 'invoices')):
        made_of, says = sums.get(code, {}).get(kind, (0, 0)), manifest['totals'].get(code, {}).get(kind, {'count': 0, 'amount': '0'})
        if made_of != (says['count'], Decimal(says['amount'])):
            problems.append(f'{code}: {made_of[0]} {kind} come to {made_of[1]}; the manifest says {says["count"]} and {says["amount"]}')
    totals = {code: {kind: [many, f'{amount:f}'] for kind, (many, amount) in of.items()} for code, of in sums.items()}
    return {'seal': made, 'invoices': len(seals), 'lines': number, 'totals': totals}


def check(pdf):
    """The problems found, each a line of text, and what was checked."""
    problems, checked, own = [], {}, {each.decode() for each in OWN.findall(pdf)}
    try:
        files = attachments(pdf, problems)
        manifest = json.loads(files['manifest.json'])
        checked = check_contents(files, manifest, problems)
        for name in sorted({*files, *manifest['files']} - {'manifest.json'}):
            if sha(files.get(name, b'')) != manifest['files'].get(name, {}).get('sha256'):
                problems.append(f'{name}: its SHA-256 is not that of the manifest')
    except Exception as trouble:
        problems.append(f'the pack: cannot be checked further ({type(trouble).__name__}: {trouble})')
    if own != {sha(OWN.sub(b'tieout-sha256:' + b'0' * 64, pdf))}:
        problems.append('the PDF: some byte differs from the file that was made')
    return problems, checked


if __name__ == '__main__':
    found, checked = check(open(sys.argv[-1], 'rb').read())
    text = '\n'.join(found[:50] + [f'and {len(found) - 50} more'] * (len(found) > 50)) if found else (
        f'{checked["invoices"]} invoices and {checked["lines"]} lines hold. Seal {checked["seal"]}')
    print(''.join(each if each.isprintable() or each == '\n' else '?' for each in text))
    for code, of in sorted(checked['totals'].items()) if not found else ():
        print(f'{code}: {of["lines"][0]} lines come to {of["lines"][1]}, {of["invoices"][0]} invoices to {of["invoices"][1]}')
    sys.exit(1 if found else 0)
