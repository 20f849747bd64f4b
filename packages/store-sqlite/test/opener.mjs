// Says whether a file can be opened, or the code of why not. Arguments: file.
import { openSqliteStore } from "@swl/store-sqlite";

const [file] = process.argv.slice(2);
const said = await openSqliteStore({ file }).then(
  (store) => store.close().then(() => "opened"),
  (error) => error.code,
);
console.log(said);
