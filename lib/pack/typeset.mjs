// Sets an evidence pack: `node typeset.mjs <folder> <seconds since 1970>`. A process of its own,
// since the
// typesetter is native code that ends its process when it meets something that it does not expect,
// and
// the worker has syncs under way. What is attached stands in the folder; so does the result.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

const [folder, seconds] = process.argv.slice(2)
const compiler = NodeCompiler.create({ workspace: folder })
const mainFileContent = readFileSync(new URL('./pack.typ', import.meta.url), 'utf8')
const pdf = compiler.pdf({ mainFileContent }, { pdfStandard: 'a-3b', creationTimestamp: Number(seconds) })
writeFileSync(join(folder, 'pack.pdf'), pdf)
