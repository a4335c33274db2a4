"""A llama.cpp server with a tiny model of random weights, made on the spot: ``python tinyllama.py PORT MODEL``.

Runs in an environment of its own, which has `PACKAGES` and nothing of Polity. The model has a token for each byte, and
one number of its residual stream that never changes: by it no byte beyond ASCII is ever likely, for random bytes are no
UTF-8.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

PACKAGES = ("xllamacpp==2026.10.11549", "gguf==0.19.0")
"""llama.cpp's own server as a library, built; and its format of models."""
WIDTH, LAYERS, HEADS, HIDDEN = 64, 2, 4, 128
CONTEXT, SLOTS = 32_768, 4
CONSTANT, SHUT = 10.0, -5.0


def write(path: Path) -> None:
    """The model as a file, the same each time."""
    import gguf
    import numpy as np

    chance = np.random.default_rng(1)

    def weights(*shape: int) -> np.ndarray:
        return (chance.standard_normal(shape) * 0.1).astype(np.float32)

    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁"]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256, gguf.TokenType.NORMAL]
    made = gguf.GGUFWriter(str(path), "llama")
    made.add_context_length(CONTEXT)
    made.add_embedding_length(WIDTH)
    made.add_block_count(LAYERS)
    made.add_feed_forward_length(HIDDEN)
    made.add_head_count(HEADS)
    made.add_head_count_kv(HEADS)
    made.add_layer_norm_rms_eps(1e-5)
    made.add_rope_dimension_count(WIDTH // HEADS)
    made.add_vocab_size(len(tokens))
    made.add_tokenizer_model("llama")
    made.add_token_list(tokens)
    made.add_token_scores([0.0] * len(tokens))
    made.add_token_types(kinds)
    made.add_bos_token_id(1)
    made.add_eos_token_id(2)
    made.add_unk_token_id(0)
    made.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ")
    embedded, said = weights(len(tokens), WIDTH), weights(len(tokens), WIDTH)
    embedded[:, 0], said[:, 0] = CONSTANT, 0
    said[[0, *range(3 + 128, 3 + 256)], 0] = SHUT
    ones = np.ones(WIDTH, np.float32)
    made.add_tensor("token_embd.weight", embedded)
    made.add_tensor("output_norm.weight", ones)
    made.add_tensor("output.weight", said)
    for layer in range(LAYERS):
        shapes = {"attn_q": (WIDTH, WIDTH), "attn_k": (WIDTH, WIDTH), "attn_v": (WIDTH, WIDTH)}
        shapes |= {"attn_output": (WIDTH, WIDTH), "ffn_gate": (HIDDEN, WIDTH), "ffn_up": (HIDDEN, WIDTH)}
        for name, shape in {**shapes, "ffn_down": (WIDTH, HIDDEN)}.items():
            tensor = weights(*shape)
            if name in ("attn_output", "ffn_down"):
                tensor[0] = 0
            made.add_tensor(f"blk.{layer}.{name}.weight", tensor)
        made.add_tensor(f"blk.{layer}.attn_norm.weight", ones)
        made.add_tensor(f"blk.{layer}.ffn_norm.weight", ones)
    made.write_header_to_file()
    made.write_kv_data_to_file()
    made.write_tensors_to_file()
    made.close()


def serve(port: int, model: Path) -> None:
    """Until it is killed."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(model)
    wanted.n_ctx, wanted.n_parallel = CONTEXT, SLOTS
    wanted.hostnames, wanted.port = ["127.0.0.1"], port
    wanted.cpuparams.n_threads = 1
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)  # noqa: T201 - whoever started it waits for this
    while True:
        time.sleep(60)


if __name__ == "__main__":
    if not Path(sys.argv[2]).exists():
        write(Path(sys.argv[2]))
    serve(int(sys.argv[1]), Path(sys.argv[2]))
