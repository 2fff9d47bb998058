import cProfile, pstats, tempfile, time, sys
from pathlib import Path
import torch
sys.path.insert(0, str(Path(__file__).parent))
import throughput as t
from attlas.engines import engine_named, run_pass, local, ahead


def main():
    subject = t.bert_base(128)
    with tempfile.TemporaryDirectory() as f:
        small, large = Path(f) / "s.txt", Path(f) / "l.txt"
        t.write_words(small, subject.tokenizer, 1_000_000)
        t.write_words(large, subject.tokenizer, 10_000_000)
        t.rate_of_map(subject, t.statistics_pass(subject, small, 128))
        one = t.statistics_pass(subject, large, 128)
        prepared = [one.source.prepare(s) for s, _ in zip(one.source.shards(), range(12))]
        from attlas.engines.worker import run_shard
        for label, reducers in (("none", one.reducers[:0]), ("surface", one.reducers[:1]), ("all", one.reducers)):
            from dataclasses import replace
            p2 = replace(one, reducers=reducers)
            torch.cuda.synchronize(); b = time.perf_counter()
            n = 0
            for x in prepared:
                if label == "none":
                    for batch in one.source.batches(subject, x.items):
                        with torch.no_grad(): subject.run(batch.inputs, predictions=False)
                else:
                    run_shard(subject, p2, x)
                n += x.counts["tokens"]
            torch.cuda.synchronize(); print(label, n / (time.perf_counter() - b))
        p = cProfile.Profile(); p.enable()
        for x in prepared[:6]: run_shard(subject, one, x)
        torch.cuda.synchronize(); p.disable()
        pstats.Stats(p).sort_stats("tottime").print_stats(16)
        began = time.perf_counter()
        with engine_named("local") as e:
            stamps = []
            for number, part in e.run(subject, one, ((s, None) for s in one.source.shards()), lambda n: None):
                stamps.append(round(time.perf_counter() - began, 2))
        print(stamps)


if __name__ == "__main__":
    main()
