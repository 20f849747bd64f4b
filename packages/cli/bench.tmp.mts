import { defineWorkflow } from "@swl/definition";
import { createHost } from "@swl/durable-state";
import { core } from "@swl/execution";
import { inProcess, ok } from "@swl/invocation-control/in-process";
import { openMemoryStore } from "@swl/store-memory";
const nodes: any = { done: {kind:"complete", output:null}};
for (let i=0;i<5;i++) nodes["s"+i]={kind:"activity",action:"work",routes:{ok:i===4?"done":"s"+(i+1)}};
const wf = defineWorkflow({ id: "chain", start: "s0", actions: { work: { effect: "idempotent", outcomes: { ok: {} } } }, nodes } as never);
const store = openMemoryStore();
const host = await createHost({ store, models: [core], bindings: inProcess({ work: () => ok(null) }), log: (e)=>console.log(e) });
for (let k=0;k<3;k++){
const t=performance.now(); let next=0; const N=1000;
await Promise.all(Array.from({length:50}, async()=>{ while(next++<N){ const r=await host.start(wf,{input:{o:next}}); await r.result(); } }));
const s=(performance.now()-t)/1000; console.log(N/s|0,"runs/s", 5*N/s|0,"visits/s");
}
await host.close();
