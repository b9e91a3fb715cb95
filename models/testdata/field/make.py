"""Makes the files of this folder with NumPy, SciPy, scikit-learn and Octave. Run it here: python3 make.py"""
import json
import re
import struct
import subprocess

import numpy as np
from scipy.io import savemat
from sklearn.neural_network import BernoulliRBM

M, J = 6, 4  # visible and hidden units
logz = {}


def log_z(w, c, b):
    """log Z by the sum over all 2^6 pictures and 2^4 hidden states."""
    v = np.array([[i >> k & 1 for k in range(M)] for i in range(1 << M)], float)
    h = np.array([[i >> k & 1 for k in range(J)] for i in range(1 << J)], float)
    e = (v @ c)[:, None] + v @ w @ h.T + (h @ b)[None, :]
    return float(e.max() + np.log(np.exp(e - e.max()).sum()))


def note(name, w, c, b):
    logz[name] = log_z(*(np.asarray(x, float) for x in (w, c, b)))


rng = np.random.default_rng(18)
rows = (rng.random((40, M)) < np.linspace(0.15, 0.85, M)).astype(np.uint8)

machine = BernoulliRBM(n_components=J, learning_rate=0.1, n_iter=20, batch_size=10, random_state=0).fit(rows)
np.savez("sklearn.npz", components_=machine.components_, intercept_hidden_=machine.intercept_hidden_,
         intercept_visible_=machine.intercept_visible_)
note("sklearn.npz", machine.components_.T, machine.intercept_visible_, machine.intercept_hidden_)

w, c, b = rng.normal(0, 1, (M, J)), rng.normal(-1, 1, M), rng.normal(0, 0.5, J)

savemat("scipy.mat", {"vishid": w, "visbiases": c, "hidbiases": b, "epoch": 10})
note("scipy.mat", w, c, b)
w4, c4, b4 = (x.astype(np.float32) for x in (w, c, b))
savemat("scipy-packed.mat", {"note": "an RBM", "W": w4.T, "vbias": c4, "hbias": b4}, do_compression=True,
        oned_as="column")
note("scipy-packed.mat", w4, c4, b4)
wi, ci, bi = (np.round(3 * x) for x in (w, c, b))
savemat("scipy-integers.mat", {"weights": wi.astype(np.int8), "vb": ci.astype(np.int16), "hb": bi.astype(np.int64)})
note("scipy-integers.mat", wi, ci, bi)
savemat("scipy-struct.mat", {"rbm": {"W": w, "b": c, "c": b}})

np.savez_compressed("theano.npz", W=w4, b=c4, c=b4)  # to some, b is visible and c hidden
note("theano.npz", w4, c4, b4)

np.savetxt("w.txt", w, "%.17g")
np.savetxt("c.txt", c, "%.17g")
np.savetxt("b.txt", b, "%.17g")
subprocess.run(["octave-cli", "--eval", """
    vishid = load('w.txt'); visbiases = load('c.txt')'; hidbiases = load('b.txt')';
    save('-v6', 'octave-v6.mat', 'vishid', 'visbiases', 'hidbiases');
    save('-v7', 'octave-v7.mat', 'vishid', 'visbiases', 'hidbiases');
    save('-hdf5', 'octave-hdf5.mat', 'visbiases', 'hidbiases');
    save('-text', 'octave-text.mat', 'visbiases', 'hidbiases');
    W = vishid'; vbias = int8(round(3 * visbiases)); hbias = single(hidbiases);
    save('-v7', 'octave-mixed.mat', 'W', 'vbias', 'hbias');
"""], check=True)
subprocess.run(["rm", "w.txt", "c.txt", "b.txt"], check=True)
with open("octave-text.mat") as f:
    text = f.read()
with open("octave-text.mat", "w") as f:  # without the names of user and machine
    f.write(re.sub(r"<.*?>", "<user@host>", text, count=1))
note("octave-v6.mat", w, c, b)
note("octave-v7.mat", w, c, b)
note("octave-mixed.mat", w, np.round(3 * c), b4)


def safetensors(name, prefix, kind, pack, *tensors):
    """Writes a .safetensors file as its specification says: size of the header, header, numbers."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for key, x in zip(("W", "v_bias", "h_bias"), tensors):
        packed = b"".join(pack(v) for v in x.ravel())
        header[prefix + key] = {"dtype": kind, "shape": list(x.shape), "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(name, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def bf16(x):
    return struct.pack("<f", x)[2:]


def cut(x):
    """The upper half of a float32."""
    return (np.asarray(x, np.float32).view(np.uint32) & 0xffff0000).view(np.float32)


safetensors("f64.safetensors", "", "F64", lambda x: struct.pack("<d", x), w, c, b)
note("f64.safetensors", w, c, b)
safetensors("f32.safetensors", "rbm.", "F32", lambda x: struct.pack("<f", x), w4.T, c4, b4)
note("f32.safetensors", w4, c4, b4)
half = [x.astype(np.float16) for x in (w, c, b)]
safetensors("f16.safetensors", "model.rbm.", "F16", lambda x: struct.pack("<e", x), *half)
note("f16.safetensors", *half)
safetensors("bf16.safetensors", "", "BF16", bf16, w4.T, c4, b4)
note("bf16.safetensors", cut(w4), cut(c4), cut(b4))

# The rows that the machine of sklearn.npz was fitted on, and their mean log-likelihood under it.
np.save("rows.npy", rows)
np.savez_compressed("rows.npz", X=rows.astype(np.float32), y=np.arange(len(rows)))
np.savetxt("rows.csv", rows, "%d", delimiter=",")
np.savetxt("rows.txt", rows)
with open("rows.idx", "wb") as f:  # grey levels, as pictures of 2 x 3
    f.write(struct.pack(">BBBBIII", 0, 0, 8, 3, len(rows), 2, 3) + (rows * 255).tobytes())
w, c, b = machine.components_.T, machine.intercept_visible_, machine.intercept_hidden_
likely = rows @ c + np.log1p(np.exp(b + rows @ w)).sum(1) - log_z(w, c, b)
with open("rows.json", "w") as f:
    json.dump({"mean": ((rows.sum(0) + 0.5) / (len(rows) + 1)).tolist(), "log_likelihood": likely.mean()}, f, indent=1)
    f.write("\n")

with open("logz.json", "w") as f:
    json.dump(logz, f, indent=1)
    f.write("\n")
